import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start();
  agent = await deployment.agent();
});
afterEach(() => deployment.close());

describe('GET /agent/passport (D-12)', () => {
  it('[passport.reply.passport-vc] [dialect.credential-names] answers with a passport that verifies offline, and the same in a credential', async () => {
    deployment.advance(1_234);
    const { body } = await agent.get('/agent/passport');
    const { service_signature: signature, ...signed } = body.passport;
    expect(verifyEd25519(body.authority_public_key_hex, JSON.stringify(signed), signature)).toBe(true);
    expect(body.lineage_proof).toEqual(body.passport);
    const { format_version, authority_key_id, issued_at, valid_until, ...claims } = signed;
    const issuer = `urn:aips:authority:${authority_key_id}`;
    expect(body.passport_vc).toEqual({
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'ServicePassport'],
      issuer: { id: issuer, authority_key_id },
      issuanceDate: '2026-01-01T00:00:01.234Z',
      expirationDate: '2026-01-02T00:00:01.234Z',
      credentialSubject: { id: `urn:aips:agent:${agent.hash}`, ...claims },
      proof: {
        type: 'DataIntegrityProof',
        created: '2026-01-01T00:00:01.234Z',
        verificationMethod: issuer,
        proofPurpose: 'assertionMethod',
        cryptosuite: 'eddsa-service-2026',
        proofValue: signature,
      },
      format_version: 1,
    });
    expect(new Date(issued_at).toISOString()).toBe(body.passport_vc.issuanceDate);
    expect(new Date(valid_until).toISOString()).toBe(body.passport_vc.expirationDate);
  });

  it('is open to a frozen agent, who proves no life by it (D-49)', async () => {
    deployment.advance(61 * 60_000);
    expect((await agent.get('/agent/passport')).status).toBe(200);
    expect((await agent.get(`/status/${agent.hash}`)).body.status).toBe('frozen');
  });

  it('[dialect.credential-names] takes its names from the dialect', async () => {
    deployment.close();
    deployment = await Deployment.start({ dialect: dialects.provenonce });
    const { body } = await (await deployment.agent()).get('/agent/passport');
    expect(body.passport).toHaveProperty('provenonce_signature');
    expect(body.passport_vc.credentialSubject).not.toHaveProperty('provenonce_signature');
    expect(body.passport_vc.type[1]).toBe('ProvenoncePassport');
    expect(body.passport_vc.proof.cryptosuite).toBe('eddsa-provenonce-2026');
  });
});
