// A byte changed in more proofs and receipts than changed-bytes.slow has.
import { describeReceipts, describeWorkProofs, withAgents } from '../../../test/fixtures/changed-bytes.js';

withAgents();
describeWorkProofs(3);
describeReceipts([10_000, 100_000]);
