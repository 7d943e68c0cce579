/** How a secret reads in a transcript or a finding. Which texts are secrets is decided in conformance/wire. */

/**
 * The name of a shell variable for the secret, in brackets. Those of replies have a number, `[API_KEY_1]`; those of the target
 * file have none, `[ADMIN_KEY]`.
 */
export const SECRET_PLACEHOLDER =
  /\[((?:API_KEY|AGENT_SECRET|REGISTRATION_TOKEN|WEBHOOK_SECRET|ISSUED_KEY|ALTERED_KEY)_\d+|OTHER_(?:API_KEY|AGENT_SECRET|REGISTRATION_TOKEN|WEBHOOK_SECRET|ISSUED_KEY)_\d+|SHARED_API_KEY(?:_[A-Z]+_\d+)?|REGISTRATION_SECRET|ADMIN_KEY|PARTNER_KEY|CONTROL_TOKEN|RPC_KEY|PAYMENT_KEY|PAYMENT_ARGUMENT_\d+|HEADER_[A-Z0-9_]+|PROXY_PASSWORD)\]/g;
