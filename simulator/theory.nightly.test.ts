// Freezes and churn against theory: of many events each.
import { dearTheories, describeTheories } from '../test/fixtures/theories.js';

describeTheories(dearTheories());
