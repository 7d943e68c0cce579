// Plays minimal pairs (pairs.json) on a server, and prints for each clause whether its reply is that of a right one.
//
//	CONTROL_TOKEN=... go run play.go [-only CLAUSE] [-salt TEXT] [-difficulty N] pairs.json BASE_URL BEATS_URL CONTROL_URL
//
// Exit status: 0 all pass, 1 a clause fails, 2 nothing could be judged. It needs the standard library of Go 1.19.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type step struct {
	To, Method, Path, From, Key string
	Headers                     map[string]string
	Body                        any
	Raw                         *string
	Repeat                      int
	Status                      any
}
type chain struct {
	From, Anchor string
	Index        int
}
type expect struct {
	Status any
	Fields []map[string]any
}
type pair struct {
	Steps  []step
	Chains map[string]chain
	Shows  []struct {
		Clause string
		Expect expect
	}
}
type file struct {
	Schema, Seed string
	Difficulty   int
	Pairs        []pair
}

// unplayed: the script does not come to its last step, so it shows nothing.
type unplayed string

var (
	urls       [3]string
	difficulty = flag.Int("difficulty", 0, "hashes of a beat, where the server has others than the specification")
	reference  = regexp.MustCompile(`\$\{([^}]*)\}`)
	whole      = regexp.MustCompile(`^\$\{([^}]*)\}$`)
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func base58(data []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	text, number, rest := "", new(big.Int).SetBytes(data), new(big.Int)
	for number.Sign() > 0 {
		number.DivMod(number, big.NewInt(58), rest)
		text = alphabet[rest.Int64():rest.Int64()+1] + text
	}
	return strings.Repeat("1", len(data)-len(bytes.TrimLeft(data, "\x00"))) + text
}

// at is the value at a dotted path, and whether there is one.
func at(value any, path string) (any, bool) {
	for _, part := range strings.Split(path, ".") {
		switch inside := value.(type) {
		case map[string]any:
			found, ok := inside[part]
			if !ok {
				return nil, false
			}
			value = found
		case []any:
			place, err := strconv.Atoi(part)
			if err != nil || place < 0 || place >= len(inside) {
				return nil, false
			}
			value = inside[place]
		default:
			return nil, false
		}
	}
	return value, true
}

type play struct {
	pair
	salt    string
	replies []any
}

func (p *play) hex(name string) string { return sha(p.salt + ":" + name) }

func (p *play) wallet(name string) ed25519.PrivateKey {
	seed, _ := hex.DecodeString(p.hex(name))
	return ed25519.NewKeyFromSeed(seed)
}

func (p *play) value(of string) any {
	parts := append(strings.Split(of, "."), "", "")
	kind, name, part := parts[0], parts[1], parts[2]
	count, _ := strconv.Atoi(part)
	switch kind {
	case "difficulty":
		return float64(*difficulty)
	case "hex":
		if part == "" {
			count = 64
		}
		return p.hex(name)[:count]
	case "repeat":
		return strings.Repeat(name, count)
	case "wallet":
		public := p.wallet(name).Public().(ed25519.PublicKey)
		if part == "address" {
			return base58(public)
		}
		return hex.EncodeToString(public)
	case "chain":
		made := p.Chains[name]
		beat, anchor := p.text(made.From), p.text(made.Anchor)
		for nth := 1; nth <= count; nth++ {
			beat = sha(fmt.Sprintf("%s:%d::%s", beat, made.Index+nth, anchor))
			for done := 0; done < *difficulty; done++ {
				beat = sha(beat)
			}
		}
		return beat
	}
	place, _ := strconv.Atoi(kind)
	if place < len(p.replies) {
		for _, path := range strings.Split(of[len(kind)+1:], "|") {
			if found, ok := at(p.replies[place], path); ok {
				return found
			}
		}
	}
	panic(unplayed(fmt.Sprintf("the reply to step %s has no %s", kind, of[len(kind)+1:])))
}

func (p *play) text(text string) string {
	return reference.ReplaceAllStringFunc(text, func(each string) string {
		value := p.value(each[2 : len(each)-1])
		if shown, ok := value.(string); ok {
			return shown
		}
		return shown(value)
	})
}

func (p *play) filled(value any) any {
	switch given := value.(type) {
	case string:
		if found := whole.FindStringSubmatch(given); found != nil {
			return p.value(found[1])
		}
		return p.text(given)
	case []any:
		made := make([]any, len(given))
		for place, item := range given {
			made[place] = p.filled(item)
		}
		return made
	case map[string]any:
		name, isSigned := given["sign"].(string)
		if text, ok := given["text"].(string); ok && isSigned && len(given) == 2 {
			return hex.EncodeToString(ed25519.Sign(p.wallet(name), []byte(p.text(text))))
		}
		made := map[string]any{}
		for key, item := range given {
			made[key] = p.filled(item)
		}
		return made
	}
	return value
}

func (p *play) send(each step, nth int) (status int, reply any) {
	headers := map[string]string{}
	url := urls[map[string]int{"": 0, "beats": 1, "control": 2}[each.To]]
	if each.Body != nil || each.Raw != nil {
		headers["content-type"] = "application/json"
	}
	if each.To == "control" {
		url += "/control/v1"
		headers["authorization"] = "Bearer " + os.Getenv("CONTROL_TOKEN")
	} else {
		from := each.From
		if from == "" {
			from = fmt.Sprintf("step %d", nth)
		}
		client, _ := hex.DecodeString(p.hex("client " + from))
		headers["x-forwarded-for"] = fmt.Sprintf("10.%d.%d.%d", client[0], client[1], client[2])
		if each.Key != "" {
			headers["authorization"] = "Bearer " + p.text(each.Key)
		}
	}
	for name, value := range each.Headers {
		headers[name] = p.text(value)
	}
	body := ""
	if each.Raw != nil {
		body = p.text(*each.Raw)
	} else if each.Body != nil {
		body = shown(p.filled(each.Body))
	}
	for times := 0; times == 0 || times < each.Repeat; times++ {
		request, err := http.NewRequest(each.Method, url+p.text(each.Path), strings.NewReader(body))
		check(err)
		for name, value := range headers {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(request)
		check(err)
		text, err := io.ReadAll(answer.Body)
		check(err)
		answer.Body.Close()
		status, reply = answer.StatusCode, nil
		_ = json.Unmarshal(text, &reply)
	}
	return status, reply
}

// run is the reply to the last step, or why it does not come to it.
func (p *play) run() (status int, reply any, reason error) {
	defer caught(&reason)
	for nth, each := range p.Steps {
		status, reply = p.send(each, nth)
		if nth == len(p.Steps)-1 {
			break
		}
		if !hasStatus(status, each.Status) {
			panic(unplayed(fmt.Sprintf("step %d (%s %s) is answered with %d", nth, each.Method, each.Path, status)))
		}
		p.replies = append(p.replies, reply)
	}
	return status, reply, nil
}

func (p *play) differences(wanted expect, status int, reply any) (found []string, reason error) {
	defer caught(&reason)
	if !hasStatus(status, wanted.Status) {
		found = append(found, fmt.Sprintf("the status is %d, not %v", status, wanted.Status))
	}
	for _, test := range wanted.Fields {
		actual, isThere := at(reply, test["path"].(string))
		if !p.holds(test, actual, isThere, reply) {
			found = append(found, fmt.Sprintf("%s is %s, not as %s", test["path"], shown(actual), shown(test)))
		}
	}
	return found, nil
}

func (p *play) holds(test map[string]any, actual any, isThere bool, reply any) bool {
	if _, ok := test["absent"]; ok || !isThere {
		return ok && !isThere
	}
	if types, ok := test["type"].([]any); ok {
		kind := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number",
			reflect.Map: "object", reflect.Slice: "array", reflect.Invalid: "null"}[reflect.ValueOf(actual).Kind()]
		for _, each := range types {
			if each == kind {
				return true
			}
		}
		return false
	}
	if pattern, ok := test["matches"].(string); ok {
		text, isText := actual.(string)
		return isText && regexp.MustCompile(pattern).MatchString(text)
	}
	if path, ok := test["minus"].(string); ok {
		other, _ := at(reply, path)
		more, isMore := number(actual)
		less, isLess := number(other)
		return isMore && isLess && more-less == test["is"]
	}
	wanted := p.filled(test["is"])
	if one, ok := actual.(string); ok && strings.HasPrefix(one, "0x") { // hashes may be written in either case
		other, isText := wanted.(string)
		return isText && strings.EqualFold(one, other)
	}
	return reflect.DeepEqual(actual, wanted)
}

func number(value any) (float64, bool) {
	if text, ok := value.(string); ok {
		when, err := time.Parse(time.RFC3339, text)
		return float64(when.UnixMilli()), err == nil
	}
	found, ok := value.(float64)
	return found, ok
}

func hasStatus(status int, expected any) bool {
	switch wanted := expected.(type) {
	case float64:
		return status == int(wanted)
	case string:
		return strconv.Itoa(status/100) == wanted[:1]
	}
	return status/100 == 2
}

// shown is a value as JSON.
func shown(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return strings.TrimSpace(text.String())
}

func caught(reason *error) {
	if thrown := recover(); thrown != nil {
		told, ok := thrown.(unplayed)
		if !ok {
			panic(thrown)
		}
		*reason = fmt.Errorf("%s", string(told))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "play.go:", err)
		os.Exit(2)
	}
}

func main() {
	drawn := make([]byte, 6)
	_, _ = rand.Read(drawn)
	only := flag.String("only", "", "a clause")
	salt := flag.String("salt", hex.EncodeToString(drawn), "names and wallets follow from it; by default new ones")
	flag.Parse()
	if flag.NArg() != 4 {
		check(fmt.Errorf("give a file of pairs, and the URLs of the registry, the beats service and the control API"))
	}
	text, err := os.ReadFile(flag.Arg(0))
	check(err)
	var content file
	check(json.Unmarshal(text, &content))
	if content.Schema != "aips-lab/pairs/1" {
		check(fmt.Errorf("%s is not a file of aips-lab/pairs/1", flag.Arg(0)))
	}
	for place := range urls {
		urls[place] = strings.TrimRight(flag.Arg(place+1), "/")
	}
	if *difficulty == 0 {
		*difficulty = content.Difficulty
	}
	counts := map[string]int{}
	for nth, each := range content.Pairs {
		made := &play{pair: each, salt: fmt.Sprintf("%s:%s:%d", content.Seed, *salt, nth)}
		status, reply, reason, isPlayed := 0, any(nil), error(nil), false
		for _, show := range each.Shows {
			if *only != "" && *only != show.Clause {
				continue
			}
			if !isPlayed {
				// Limits of an hour count what earlier scripts sent.
				made.send(step{To: "control", Method: "POST", Path: "/clock/advance", Body: map[string]any{"ms": 3_601_000}}, 0)
				status, reply, reason = made.run()
				isPlayed = true
			}
			verdict, why := "pass", ""
			if reason == nil {
				found, missing := made.differences(show.Expect, status, reply)
				if missing != nil {
					verdict, why = "not judged", ": "+missing.Error()
				} else if len(found) > 0 {
					verdict, why = "FAIL", ": "+strings.Join(found, "; ")
				}
			} else {
				verdict, why = "not judged", ": "+reason.Error()
			}
			counts[verdict]++
			fmt.Printf("%s  %s%s\n", verdict, show.Clause, why)
		}
	}
	fmt.Printf("%d pass, %d FAIL, %d not judged\n", counts["pass"], counts["FAIL"], counts["not judged"])
	if counts["FAIL"] > 0 {
		os.Exit(1)
	}
	if counts["pass"] == 0 {
		os.Exit(2)
	}
}
