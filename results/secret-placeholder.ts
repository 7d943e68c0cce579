/** How a secret reads in a transcript or a finding. Which texts are secrets is decided in conformance/wire. */

/** The fields of replies with credentials, and the shell variable that a report has in place of each. */
export const SECRET_FIELDS: Readonly<Record<string, string>> = {
  api_key: 'API_KEY',
  secret: 'AGENT_SECRET',
  token: 'REGISTRATION_TOKEN',
  webhook_secret: 'WEBHOOK_SECRET',
  key: 'ISSUED_KEY',
};

const ISSUED = Object.values(SECRET_FIELDS).join('|');

/**
 * The name of a shell variable for the secret, in brackets. Those of replies have a number, `[API_KEY_1]`; those of the target
 * file have none, `[ADMIN_KEY]`.
 */
export const SECRET_PLACEHOLDER = new RegExp(
  `\\[((?:${ISSUED}|ALTERED_KEY)_\\d+|OTHER_(?:${ISSUED})_\\d+|SHARED_API_KEY(?:_[A-Z]+_\\d+)?|REGISTRATION_SECRET|ADMIN_KEY|PARTNER_KEY|CONTROL_TOKEN|RPC_KEY|PAYMENT_KEY|PAYMENT_ARGUMENT_\\d+|HEADER_[A-Z0-9_]+|PROXY_PASSWORD)\\]`,
  'g',
);
