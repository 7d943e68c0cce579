// Command check computes again what the golden vectors say, with the standard library of Go 1.19 alone: beats, anchors, receipts, passports,
// signed messages, keys, webhook signatures, fees and costs. Copy the functions that your implementation needs.
//
//	go run examples/vectors/check.go spec/golden
//
// It prints a line for each file, and each case that differs; the exit status is 0, or 1 if a case differs or a file cannot be read. Messages
// of Ethereum wallets are not computed: the library has neither Keccak-256 nor secp256k1.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// object is a case of a file. Numbers stay as they are written.
type object map[string]any

func (o object) text(key string) string { value, _ := o[key].(string); return value }

func (o object) number(key string) int64 {
	value, err := o[key].(json.Number).Int64()
	must(err)
	return value
}

func (o object) in(key string) object { return o[key].(map[string]any) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func fromHex(text string) []byte { value, err := hex.DecodeString(text); must(err); return value }

func sha(text string) string { sum := sha256.Sum256([]byte(text)); return hex.EncodeToString(sum[:]) }

func mac(secret, text string) string {
	sum := hmac.New(sha256.New, []byte(secret))
	sum.Write([]byte(text))
	return hex.EncodeToString(sum.Sum(nil))
}

func sign(seedHex, text string) []byte {
	return ed25519.Sign(ed25519.NewKeyFromSeed(fromHex(seedHex)), []byte(text))
}

func publicKey(seedHex string) string {
	return hex.EncodeToString(ed25519.NewKeyFromSeed(fromHex(seedHex)).Public().(ed25519.PublicKey))
}

// canonical is JSON without spaces, with sorted keys: Go sorts those of a map, and escapes nothing that JSON lets stand.
func canonical(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(value))
	return strings.TrimSuffix(out.String(), "\n")
}

// beat is the hash of a beat: of its seed, and `difficulty` times more of the hash in hex.
func beat(prev string, index int64, nonce string, anchor any, difficulty int64) string {
	seed := fmt.Sprintf("%s:%d:%s", prev, index, nonce)
	if hash, woven := anchor.(string); woven {
		seed += ":" + hash
	}
	hash := sha(seed)
	for i := int64(0); i < difficulty; i++ {
		hash = sha(hash)
	}
	return hash
}

func beats(c object) object {
	if c.text("kind") == "beat" {
		return object{"hash": beat(c.text("prev"), c.number("index"), c.text("nonce"), c["anchor_hash"], c.number("difficulty"))}
	}
	prev := sha("beats:genesis:v1:" + c.text("agent_hash"))
	made := object{"genesis_hash": prev}
	links := []any{}
	for index := int64(1); index <= int64(len(c["beats"].([]any))); index++ {
		hash := beat(prev, index, "", c["anchor_hash"], c.number("difficulty"))
		links = append(links, map[string]any{"index": index, "prev": prev, "hash": hash})
		prev = hash
	}
	made["beats"] = links
	return made
}

func anchor(c object) object {
	preimage := append([]byte(c.text("domain_prefix")), fromHex(c.text("prev_hash"))...)
	preimage = binary.BigEndian.AppendUint64(preimage, uint64(c.number("beat_index")))
	preimage = append(preimage, fromHex(c.text("entropy_hex"))...)
	hash := sha256.Sum256(preimage)
	signed := canonical(c["anchor"])
	return object{
		"preimage_hex": hex.EncodeToString(preimage), "hash": hex.EncodeToString(hash[:]), "canonical": signed,
		"public_key_hex": publicKey(c.text("seed_hex")), "signature_base64": base64.StdEncoding.EncodeToString(sign(c.text("seed_hex"), signed)),
	}
}

func receipt(c object) object {
	unsigned := map[string]any{}
	for key, value := range c.in("payload") {
		if key != "signature" {
			unsigned[key] = value
		}
	}
	signed := canonical(unsigned)
	return object{
		"canonical": signed, "signature_base64": base64.StdEncoding.EncodeToString(sign(c.text("seed_hex"), signed)),
		"string_form": base64.RawURLEncoding.EncodeToString([]byte(c.text("payload_json"))),
	}
}

// passport signs the fields in the order of section 2.6, which is not that of canonical JSON.
func passport(c object) object {
	order := []string{"format_version", "agent_hash", "agent_public_key", "authority_key_id", "identity_class", "registered_at_beat",
		"sigil_issued_at_beat", "last_heartbeat_beat", "lineage_chain_hash", "issued_at", "valid_until"}
	parts := []string{}
	for _, key := range order {
		parts = append(parts, canonical(key)+":"+canonical(c.in("fields")[key]))
	}
	signed := "{" + strings.Join(parts, ",") + "}"
	key := publicKey(c.text("seed_hex"))
	return object{
		"canonical": signed, "sha256": sha(signed), "signature_hex": hex.EncodeToString(sign(c.text("seed_hex"), signed)),
		"public_key_hex": key, "authority_key_id": "pvn-ed25519-" + key[:16],
	}
}

func message(c object) object {
	text := fmt.Sprintf("%s-%s:%s:%s:%s", c.text("dialect"), c.text("flow"), c.text("nonce"), c.text("address"), c.text("subject"))
	made := object{"text": text, "text_utf8_hex": hex.EncodeToString([]byte(text))}
	if c.text("algorithm") == "ed25519" {
		made["public_key_hex"] = publicKey(c.text("secret_key_hex"))
		made["signature"] = hex.EncodeToString(sign(c.text("secret_key_hex"), text))
	}
	return made
}

func apiKey(c object) object {
	encoded := base64.RawURLEncoding.EncodeToString([]byte(c.text("payload_json")))
	signature := mac(c.text("server_secret"), encoded)
	return object{"payload_base64url": encoded, "signature_hex": signature, "api_key": "pvn_" + encoded + "." + signature}
}

func sigilName(c object) object {
	text := strings.Join([]string{c.text("sigil_name"), c.text("principal"), c.text("tier")}, "*")
	// \A and \z: a line end is no part of a name.
	if !regexp.MustCompile(`\A[a-z0-9][a-z0-9-]{0,47}\*[a-z0-9][a-z0-9-]{0,23}\*(sov|org|ind|eph|sbx)\z`).MatchString(text) {
		return object{"valid": false, "sigil": nil}
	}
	return object{"valid": true, "sigil": text}
}

// grown is value × (numerator ÷ denominator)^times, rounded down once.
func grown(value *big.Int, numerator, denominator, times int64) *big.Int {
	power := func(base int64) *big.Int { return new(big.Int).Exp(big.NewInt(base), big.NewInt(times), nil) }
	return new(big.Int).Div(new(big.Int).Mul(value, power(numerator)), power(denominator))
}

func spawnCost(c object) object {
	depthCost := grown(big.NewInt(1000), 3, 2, c.number("depth"))
	return object{"depth_cost": depthCost, "cost": grown(depthCost, 12, 10, c.number("siblings"))}
}

func feeTier(c object) object {
	switch n := c.number("heartbeat_in_epoch"); {
	case n <= 100:
		return object{"tier": 1, "lamports": 500_000}
	case n <= 1_000:
		return object{"tier": 2, "lamports": 300_000}
	default:
		return object{"tier": 3, "lamports": 200_000}
	}
}

func feeSplit(c object) object {
	fee, years := c.number("fee_lamports"), c.number("elapsed_ms")/(365*86_400_000)
	released := 100 * years
	if released > 1_000 {
		released = 1_000
	}
	shares := map[string]any{}
	rest := fee
	for name, bps := range map[string]int64{"operations": 3_000, "contributors": 3_000, "development": 1_500 - released, "referral": 1_000} {
		shares[name] = fee * bps / 10_000
		rest -= fee * bps / 10_000
	}
	shares["treasury"] = rest
	return object{"lamports": shares}
}

func penalty(c object) object {
	if missed := c.number("missed_anchors"); missed < 100 {
		return object{"beats": 100 * missed}
	}
	return object{"beats": 10_000}
}

// computed gives, for each file, the part of a case that follows from the rest of it.
var computed = map[string]func(object) object{
	"beats":    beats,
	"genesis":  func(c object) object { return object{"hash": sha("beats:genesis:v1:" + c.text("agent_hash"))} },
	"anchors":  anchor,
	"receipts": receipt,
	"lineage": func(c object) object {
		return object{"canonical": canonical(c["event"]), "hash": sha(c.text("previous") + canonical(c["event"]))}
	},
	"passports": passport, "messages": message, "api-keys": apiKey, "sigil-names": sigilName,
	"webhook-signatures": func(c object) object {
		return object{"header_value": "sha256=" + mac(c.text("webhook_secret"), c.text("body"))}
	},
	"spawn-costs": spawnCost, "fee-tiers": feeTier, "fee-splits": feeSplit, "resync-penalties": penalty,
	"epochs": func(c object) object { return object{"billing_epoch": c.number("beat") / 100_000} },
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run check.go FOLDER-OF-VECTORS")
		os.Exit(2)
	}
	paths, err := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	must(err)
	wrong := 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		compute := computed[name]
		if compute == nil {
			fmt.Printf("%s: no function computes it\n", name)
			wrong++
			continue
		}
		content, err := os.ReadFile(path)
		must(err)
		decoder := json.NewDecoder(bytes.NewReader(content))
		decoder.UseNumber()
		var file struct{ Cases []object }
		must(decoder.Decode(&file))
		differs := 0
		for _, each := range file.Cases {
			for key, value := range compute(each) {
				if canonical(value) != canonical(each[key]) {
					fmt.Printf("%s: %s: %s is %s here and %s in the file\n", name, each.text("name"), key, canonical(value), canonical(each[key]))
					differs++
				}
			}
		}
		fmt.Printf("%-20s %3d cases, %d differ\n", name, len(file.Cases), differs)
		wrong += differs
	}
	if wrong > 0 || len(paths) < len(computed) {
		os.Exit(1)
	}
}
