/** Mistakes planted in partner webhooks (4.18) and their deliveries (section 6). */
import type { Mutant } from './mutant.js';

const partnerWebhookRules = 'reference/registry/partner-webhook';
const partnerWebhookSchema = 'spec/endpoints/partner-webhook';
const partnerWebhookEndpoint = 'reference/http/endpoints/partner-webhook';
const outboxRules = 'reference/registry/outbox';
const webhookRequestHttp = 'reference/http/request/webhook-request';
const dispatchHttp = 'reference/http/request/dispatch';
const authenticationHttp = 'reference/http/request/authentication';

export const partnerWebhookMutants: readonly Mutant[] = [
  {
    id: 'partner-webhook/secret-stays',
    title: 'setting again keeps the secret and delivers with another',
    clause: 'delivery.secret.generated',
    patch: {
      file: partnerWebhookRules,
      before: 'secret: nextHex(registry.stream, registry.protocol.webhook.secretBytes) };',
      after: "secret: 'ab'.repeat(32) };",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/set-once',
    title: 'setting again changes nothing',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: partnerWebhookRules,
      before: 'known(registry, partner).webhook = webhook;',
      after: 'known(registry, partner).webhook ??= webhook;',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/one-for-all',
    title: "a partner's webhook is everybody's",
    clause: 'key.partner',
    patch: {
      file: partnerWebhookRules,
      before: 'known(registry, partner).webhook = webhook;',
      after: 'for (const each of registry.partners) each.webhook = webhook;',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/delete-nothing',
    title: 'a deletion is answered and not made',
    clause: 'partner-webhook.delete.reply',
    patch: {
      file: partnerWebhookRules,
      before: 'known(registry, partner).webhook = null;',
      after: 'void known(registry, partner);',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/first-event-only',
    title: 'only the first event is subscribed to',
    clause: 'partner-webhook.put.body.events',
    patch: {
      file: partnerWebhookRules,
      before: 'const webhook = { url, events: [...events], secret',
      after: 'const webhook = { url, events: events.slice(0, 1), secret',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/http-taken',
    title: 'an http url is accepted',
    clause: 'partner-webhook.put.body.url',
    patch: {
      file: partnerWebhookRules,
      before: 'if (why !== null)',
      after: "if (why !== null && why !== 'must be https')",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/events-any',
    title: 'unknown events are accepted',
    clause: 'partner-webhook.error.webhook-invalid.events',
    patch: {
      file: partnerWebhookSchema,
      before: 'const event = z.enum(partnerEvents);',
      after: 'const event = z.string();',
    },
  },
  {
    id: 'partner-webhook/events-unknown-dropped',
    title: 'unknown events are dropped',
    clause: 'partner-webhook.error.webhook-invalid.events',
    patch: {
      file: partnerWebhookSchema,
      before: 'const events = z.array(event).min(1);',
      after:
        'const events = z.preprocess((list) => (Array.isArray(list) ? list.filter((each) => partnerEvents.includes(each)) : list), z.array(event));',
    },
  },
  {
    id: 'partner-webhook/events-text',
    title: 'a text is taken for a list of one event',
    clause: 'partner-webhook.put.body.events',
    patch: {
      file: partnerWebhookSchema,
      before: 'const events = z.array(event).min(1);',
      after:
        "const events = z.union([z.array(event).min(1), event.transform((one) => [one]), z.string().transform(() => ['agent.frozen'])]);",
    },
  },
  {
    id: 'partner-webhook/events-no-unfrozen',
    title: 'agent.unfrozen is no event',
    clause: 'partner-webhook.put.body.events',
    patch: {
      file: partnerWebhookSchema,
      before: 'const event = z.enum(partnerEvents);',
      after: "const event = z.enum(partnerEvents).exclude(['agent.unfrozen']);",
    },
  },
  {
    id: 'partner-webhook/events-no-sigil',
    title: 'sigil.purchased is no event',
    clause: 'partner-webhook.put.body.events',
    patch: {
      file: partnerWebhookSchema,
      before: 'const event = z.enum(partnerEvents);',
      after: "const event = z.enum(partnerEvents).exclude(['sigil.purchased']);",
    },
  },
  {
    id: 'partner-webhook/get-shows-secret',
    title: 'GET shows the secret',
    clause: 'partner-webhook.get.no-secret',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after:
        'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true, webhook_secret: webhook.secret });',
    },
  },
  {
    id: 'partner-webhook/get-shows-secret-as',
    title: 'GET shows the secret under another name',
    clause: 'partner-webhook.get.no-secret',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after:
        'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true, secret: webhook.secret });',
    },
  },
  {
    id: 'partner-webhook/get-shows-start-of-secret',
    title: 'GET shows the beginning of the secret',
    clause: 'partner-webhook.get.no-secret',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after:
        'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true, secret_prefix: webhook.secret.slice(0, 8) });',
    },
  },
  {
    id: 'partner-webhook/get-url-cut',
    title: 'GET shows the url without its path',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after: 'return reply({ webhook_url: new URL(webhook.url).origin, events: webhook.events, configured: true });',
    },
  },
  {
    id: 'partner-webhook/get-events-all',
    title: 'GET shows all events',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after:
        "return reply({ webhook_url: webhook.url, events: ['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'], configured: true });",
    },
  },
  {
    id: 'partner-webhook/put-events-echoed-empty',
    title: 'PUT answers with no events',
    clause: 'partner-webhook.put.reply',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: url, webhook_secret: secret, events });',
      after: 'return reply({ webhook_url: url, webhook_secret: secret, events: [] });',
    },
  },
  {
    id: 'partner-webhook/put-url-normalized',
    title: 'PUT answers with another url',
    clause: 'partner-webhook.field.webhook-url',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: url, webhook_secret: secret, events });',
      after: 'return reply({ webhook_url: new URL(url).origin, webhook_secret: secret, events });',
    },
  },
  {
    id: 'partner-webhook/event-unsubscribed',
    title: 'every event is delivered',
    clause: 'delivery.subscribed',
    patch: {
      file: outboxRules,
      before: 'if (found === undefined || found.suspended || !found.webhook?.events.includes(event))',
      after: 'if (found === undefined || found.suspended || !found.webhook)',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/event-frozen-unsubscribed',
    title: 'agent.frozen is always delivered',
    clause: 'delivery.subscribed',
    patch: {
      file: outboxRules,
      before: 'if (found === undefined || found.suspended || !found.webhook?.events.includes(event))',
      after:
        "if (found === undefined || found.suspended || !found.webhook || (event !== 'agent.frozen' && !found.webhook.events.includes(event)))",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/event-of-all',
    title: 'events of all agents go to the latest partner',
    clause: 'event.scope',
    patch: {
      file: outboxRules,
      before: 'const partner = registry.agents.line.partner(agent);',
      after: 'const partner = registry.partners.findLastIndex(({ webhook }) => webhook?.events.includes(event));',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/event-of-the-next',
    title: 'events of a partner go to the one before as well',
    clause: 'event.scope',
    patch: {
      file: outboxRules,
      before: 'registry.outbox.emitted += 1;',
      after:
        'registry.outbox.emitted += 1;\n    if (partner > 0 && registry.partners[partner - 1].webhook) registry.outbox.lanes.set(`${partner - 1}:${agent}`, [{ ...delivery, partner: partner - 1 }]);',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/first-failure-drops',
    title: 'a failed delivery is not tried again',
    clause: 'delivery.dead-letter',
    patch: { file: outboxRules, before: 'if (waitSec !== undefined) {', after: 'if (waitSec < 0) {' },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/failed-are-delivered',
    title: 'a failed delivery counts as delivered',
    clause: 'delivery.dead-letter',
    patch: { file: outboxRules, before: 'if (!delivered) {', after: 'if (!delivered && first.failures < 0) {' },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-unprefixed',
    title: 'the signature lacks sha256=',
    clause: 'delivery.signature.header',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after: "return createHmac('sha256', secret).update(body).digest('hex');",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-in-base64',
    title: 'the signature is in base64',
    clause: 'delivery.signature.header',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after: "return `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-sha1',
    title: 'the signature is HMAC-SHA1',
    clause: 'delivery.signature.value',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after: "return `sha256=${createHmac('sha1', secret).update(body).digest('hex')}`;",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-of-bytes',
    title: "the key of the signature is the secret's bytes",
    clause: 'delivery.signature.value',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after: "return `sha256=${createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('hex')}`;",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-of-spaced-body',
    title: 'the signature is over the body in another layout',
    clause: 'delivery.signature.value',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after:
        "return `sha256=${createHmac('sha256', secret).update(JSON.stringify(JSON.parse(body), null, 2)).digest('hex')}`;",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/signature-empty',
    title: 'the signature is over nothing',
    clause: 'delivery.signature.value',
    patch: {
      file: webhookRequestHttp,
      before: "return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;",
      after: "return `sha256=${createHmac('sha256', secret).digest('hex')}`;",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/put-deliveries',
    title: 'a delivery is a PUT',
    clause: 'delivery.post',
    patch: { file: webhookRequestHttp, before: "method: 'POST',", after: "method: 'PUT'," },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/delivered-to-root',
    title: 'a delivery goes to the root of the host',
    clause: 'delivery.post',
    patch: {
      file: webhookRequestHttp,
      before: 'const sent = request(url, {',
      after: "const sent = request(new URL('/', url), {",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/status-ignored',
    title: 'a delivery that is answered 500 is delivered',
    clause: 'delivery.dead-letter',
    patch: {
      file: webhookRequestHttp,
      before: 'resolve(status >= 200 && status < 300);',
      after: 'resolve(status > 0);',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/no-timeout',
    title: 'a delivery waits for ever',
    clause: 'delivery.timeout',
    patch: {
      file: webhookRequestHttp,
      before: "const stop = afterWaiting(timeoutMs, () => sent.destroy(new Error('no answer in time')));",
      after: 'const stop = () => undefined;',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/first-secret',
    title: "a delivery is signed with the partner's first secret",
    clause: 'delivery.signature.value',
    patch: {
      file: dispatchHttp,
      before: 'webhookSignature(webhook.secret, delivery.body) },',
      after: 'webhookSignature((registry.partners[delivery.partner].firstSecret ??= webhook.secret), delivery.body) },',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/header-of-another-name',
    title: 'the signature is in another header',
    clause: 'delivery.signature.header',
    patch: {
      file: dispatchHttp,
      before: 'headers: { [webhookSignatureHeader]: webhookSignature',
      after: "headers: { 'x-signature': webhookSignature",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/nothing-delivered',
    title: 'nothing is delivered but to the first partner',
    clause: 'service.webhook',
    patch: {
      file: outboxRules,
      before: 'registry.outbox.emitted += 1;',
      after:
        'registry.outbox.emitted += 1;\n    if ((registry.firstTold ??= partner) !== partner) registry.outbox.lanes.delete(laneOf(delivery));',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/third-lost',
    title: 'every third delivery is lost',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: outboxRules,
      before: 'registry.outbox.emitted += 1;',
      after:
        'registry.outbox.emitted += 1;\n    if (registry.outbox.emitted % 3 === 0) registry.outbox.lanes.get(laneOf(delivery)).pop();',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/purchase-lost-beside-another',
    title: 'sigil.purchased is not sent once a heartbeat has been',
    clause: 'sigil.transition.event',
    patch: {
      file: outboxRules,
      before: 'if (found === undefined || found.suspended || !found.webhook?.events.includes(event))',
      after:
        "if (found === undefined || found.suspended || !found.webhook?.events.includes(event) || event === 'sigil.purchased')",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/blocked-by-a-failure',
    title: 'a failing delivery stops those of other agents',
    clause: 'delivery.post',
    patch: { file: outboxRules, before: 'return `${partner}:${agent}`;', after: 'return `${partner}`;' },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/delete-shows-secret',
    title: 'DELETE shows the secret',
    clause: 'delivery.secret.only-put',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'removeWebhook(registry, partner);\n    return reply({ ok: true });',
      after:
        'const webhook = webhookOf(registry, partner);\n    removeWebhook(registry, partner);\n    return reply({ ok: true, webhook_secret: webhook?.secret });',
    },
  },
  {
    id: 'partner-webhook/get-shows-secret-once',
    title: 'GET shows the secret while it is new',
    clause: 'partner-webhook.field.webhook-secret.when',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });',
      after:
        'const shown = webhook.shown;\n    webhook.shown = true;\n    return reply({ webhook_url: webhook.url, events: webhook.events, configured: true, ...(shown ? {} : { webhook_secret: webhook.secret }) });',
    },
  },
  {
    id: 'partner-webhook/put-shows-secret-once',
    title: 'PUT shows a secret the first time',
    clause: 'partner-webhook.put.reply',
    patch: {
      file: partnerWebhookEndpoint,
      before: 'return reply({ webhook_url: url, webhook_secret: secret, events });',
      after:
        'const again = registry.partners[partner].told;\n    registry.partners[partner].told = true;\n    return reply({ webhook_url: url, ...(again ? {} : { webhook_secret: secret }), events });',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/key-of-agent',
    title: "an agent's key is taken as a partner's",
    clause: 'partner-webhook.auth',
    patch: {
      file: authenticationHttp,
      before: 'const known = authenticatePartner(registry, bearer(header));',
      after:
        "const known = bearer(header)?.startsWith('pvn_') ? { ok: true, partner: 0 } : authenticatePartner(registry, bearer(header));",
    },
  },
  {
    id: 'partner-webhook/key-by-prefix',
    title: "any key that begins like a partner's is the first one's",
    clause: 'partner-webhook.auth',
    patch: {
      file: authenticationHttp,
      before: 'const known = authenticatePartner(registry, bearer(header));',
      after:
        "const known = /^pv[pt]_/.test(bearer(header) ?? '') && registry.partners.length > 0 && !authenticatePartner(registry, bearer(header)).ok ? { ok: true, partner: 0 } : authenticatePartner(registry, bearer(header));",
    },
  },
  {
    id: 'partner-webhook/timeout-of-a-second',
    title: 'a delivery waits a second',
    clause: 'constant.webhook-timeout',
    patch: {
      file: dispatchHttp,
      before: 'timeoutMs: registry.protocol.webhook.timeoutSec * 1_000,',
      after: 'timeoutMs: 1_000,',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/timeout-of-10',
    title: 'a delivery waits ten seconds',
    clause: 'constant.webhook-timeout',
    patch: {
      file: dispatchHttp,
      before: 'timeoutMs: registry.protocol.webhook.timeoutSec * 1_000,',
      after: 'timeoutMs: 10_000,',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/frozen-once',
    title: 'of agents that freeze at one anchor one is told of',
    clause: 'event.agent-frozen',
    patch: {
      file: outboxRules,
      before: 'const id = nextUuid(registry.stream);',
      after:
        "if (event === 'agent.frozen' && [...registry.outbox.lanes.values()].some((l) => l.some((d) => d.event === event && d.partner === partner && d.dueAtMs === nowMs))) return;\n  const id = nextUuid(registry.stream);",
    },
  },
  {
    id: 'partner-webhook/url-of-first',
    title: 'deliveries go on to the url of the first',
    clause: 'delivery.post',
    patch: {
      file: dispatchHttp,
      before: 'url: webhook.url,',
      after: 'url: (((host).urls ??= {})[delivery.partner] ??= webhook.url),',
    },
  },
  {
    id: 'partner-webhook/unfrozen-with-frozen',
    title: 'who subscribes to agent.frozen gets agent.unfrozen, too',
    clause: 'delivery.subscribed',
    patch: {
      file: outboxRules,
      before: '!found.webhook?.events.includes(event)',
      after:
        "!(found.webhook?.events.includes(event) || (event === 'agent.unfrozen' && found.webhook?.events.includes('agent.frozen')))",
    },
  },
  {
    id: 'partner-webhook/twelve-heartbeats',
    title: 'after twelve heartbeats of an agent no more are told of',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (line.partner(agent) >= 0)',
      after: 'if (line.partner(agent) >= 0 && totalHeartbeats <= 12)',
    },
  },
  {
    id: 'partner-webhook/cut-is-made',
    title: 'a delivery whose connection is cut counts as made',
    clause: 'delivery.dead-letter',
    patch: {
      file: webhookRequestHttp,
      before: "sent.on('error', () => resolve(false));",
      after: "sent.on('error', (error) => resolve((error).code === 'ECONNREFUSED' || (error).code === 'ECONNRESET'));",
    },
  },
  {
    id: 'partner-webhook/retry-changed-unsigned',
    title: 'a retry tells its number in the body, under the signature of the first attempt',
    clause: 'delivery.signature.value',
    patch: {
      file: dispatchHttp,
      before: 'body: delivery.body,',
      after:
        'body: delivery.failures === 0 ? delivery.body : JSON.stringify({ ...JSON.parse(delivery.body), attempt: delivery.failures + 1 }),',
    },
  },
  {
    id: 'partner-webhook/heartbeats-under-another-secret',
    title: 'deliveries of heartbeats are signed under another secret',
    clause: 'delivery.signature.value',
    patch: {
      file: dispatchHttp,
      before: 'webhookSignature(webhook.secret, delivery.body)',
      after: "webhookSignature(delivery.event === 'heartbeat.recorded' ? delivery.id : webhook.secret, delivery.body)",
    },
  },
  {
    id: 'partner-webhook/secret-delivered',
    title: 'a delivery tells the secret that signs it',
    clause: 'delivery.secret.only-put',
    patch: {
      file: outboxRules,
      before: 'occurred_at: isoOf(nowMs), data })',
      after: 'occurred_at: isoOf(nowMs), data, webhook_secret: found.webhook.secret })',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/secret-in-a-header',
    title: 'a delivery carries the secret in a header',
    clause: 'delivery.secret.only-put',
    patch: {
      file: dispatchHttp,
      before: 'headers: { [webhookSignatureHeader]:',
      after: "headers: { 'x-webhook-secret': webhook.secret, [webhookSignatureHeader]:",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/refused-set-clears',
    title: 'a webhook that is refused ends the one that was set',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: 'reference/http/request/route',
      before: '    if (parsed !== undefined && !parsed.ok)\n        return parsed;',
      after:
        "    if (parsed !== undefined && !parsed.ok) {\n        if (endpoint.id === 'partner-webhook.put') host.service.registry.partners[partner].webhook = null;\n        return parsed;\n    }",
    },
  },
  {
    id: 'partner-webhook/get-cached-for-all',
    title: 'the configuration that was read last is shown to every partner',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: 'reference/http/endpoints/partner-webhook',
      before: '    const webhook = webhookOf(registry, partner);',
      after:
        '    if (registry.webhookRead === undefined)\n        registry.webhookRead = webhookOf(registry, partner);\n    const webhook = registry.webhookRead;',
      also: [
        {
          file: 'reference/http/endpoints/partner-webhook',
          before: '    const { url, secret, events } = done.webhook;',
          after: '    registry.webhookRead = undefined;\n    const { url, secret, events } = done.webhook;',
        },
        {
          file: 'reference/http/endpoints/partner-webhook',
          before: '    removeWebhook(registry, partner);',
          after: '    registry.webhookRead = undefined;\n    removeWebhook(registry, partner);',
        },
      ],
    },
  },
  {
    id: 'partner-webhook/heard-after-delete',
    title: 'heartbeats are delivered to a webhook that was deleted',
    clause: 'delivery.subscribed',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/outbox',
      before: '/** The lane of a delivery: its partner and agent. */',
      after: 'export const removed = new WeakMap();',
      also: [
        {
          file: 'reference/registry/outbox',
          before: '    if (found === undefined || found.suspended || !found.webhook?.events.includes(event))\n',
          after:
            "    const hook = found === undefined ? null : (found.webhook ?? (event === 'heartbeat.recorded' ? removed.get(found) : null));\n    if (found === undefined || found.suspended || !hook?.events.includes(event))\n",
        },
        {
          file: 'reference/registry/partner-webhook',
          before: 'import { dropDeliveries }',
          after: 'import { dropDeliveries, removed }',
        },
        {
          file: 'reference/registry/partner-webhook',
          before: '    known(registry, partner).webhook = null;',
          after:
            '    if (known(registry, partner).webhook !== null)\n        removed.set(known(registry, partner), known(registry, partner).webhook);\n    known(registry, partner).webhook = null;',
        },
        {
          file: 'reference/http/request/dispatch',
          before: 'import { dueDeliveries, laneOf, nextDueMs, settleDelivery }',
          after: 'import { dueDeliveries, laneOf, nextDueMs, removed, settleDelivery }',
        },
        {
          file: 'reference/http/request/dispatch',
          before: '    const webhook = registry.partners[delivery.partner]?.webhook;',
          after:
            '    const webhook = registry.partners[delivery.partner]?.webhook ?? removed.get(registry.partners[delivery.partner] ?? {});',
        },
      ],
    },
  },
  {
    id: 'partner-webhook/events-add-up',
    title: 'a webhook that is set anew hears the events of the one before, too',
    clause: 'delivery.subscribed',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/outbox',
      before: '/** The lane of a delivery: its partner and agent. */',
      after: 'export const heard = new WeakMap();',
      also: [
        {
          file: 'reference/registry/outbox',
          before: '!found.webhook?.events.includes(event))',
          after: '!(found.webhook && (heard.get(found.webhook) ?? found.webhook.events).includes(event)))',
        },
        {
          file: 'reference/registry/partner-webhook',
          before: 'import { dropDeliveries }',
          after: 'import { dropDeliveries, heard }',
        },
        {
          file: 'reference/registry/partner-webhook',
          before: '    known(registry, partner).webhook = webhook;',
          after:
            '    const former = known(registry, partner).webhook;\n    if (former !== null)\n        heard.set(webhook, [...webhook.events, ...(heard.get(former) ?? former.events)]);\n    known(registry, partner).webhook = webhook;',
        },
      ],
    },
  },
  {
    id: 'partner-webhook/first-partner-hears-nothing',
    title: 'the number 0 of the first partner is taken for none',
    clause: 'event.sigil-purchased',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/outbox',
      before: 'if (found === undefined || found.suspended ||',
      after: 'if (!partner || found === undefined || found.suspended ||',
    },
  },
  {
    id: 'partner-webhook/first-partner-hears-no-freeze',
    title: 'the first partner is told of no freeze',
    clause: 'event.agent-frozen',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: "    if (line.partner(row) < 0)\n        return;\n    emit(registry, 'agent.frozen'",
      after: "    if (line.partner(row) <= 0)\n        return;\n    emit(registry, 'agent.frozen'",
    },
  },
  {
    id: 'partner-webhook/first-partner-hears-no-heartbeat',
    title: 'the first partner is told of no heartbeat',
    clause: 'event.heartbeat-recorded',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) > 0) {',
    },
  },
  {
    id: 'partner-webhook/one-queue-for-all',
    title: 'a delivery that fails holds up those to all other partners',
    clause: 'delivery.post',
    deployment: 'webhooks',
    patch: {
      file: 'reference/registry/outbox',
      before: 'return `${partner}:${agent}`;',
      after: "return partner < 0 ? '' : 'all';",
    },
  },
  {
    id: 'partner-webhook/tells-of-what-was-refused',
    title: 'a purchase whose payment is refused is delivered as one',
    clause: 'event.sigil-purchased',
    patch: {
      file: 'reference/registry/sigil',
      before: "    const paid = validPayment(registry, 'sigil', payment, feeLamports);",
      after:
        "    const paid = validPayment(registry, 'sigil', payment, feeLamports);\n    if ('row' in paid && !('lookUp' in paid) && line.partner(agent) >= 0)\n        emit(registry, 'sigil.purchased', agent, nowMs, { identity_class: input.identityClass, tier });",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/refused-put-removes',
    title: 'a PUT that is refused removes the webhook that was there',
    clause: 'partner-webhook.get.reply',
    patch: {
      file: 'reference/registry/partner-webhook',
      before: 'if (why !== null)\n        return',
      after:
        'if (why !== null)\n        known(registry, partner).webhook = null;\n    if (why !== null)\n        return',
    },
  },
  {
    id: 'partner-webhook/query-left-out',
    title: 'deliveries are made to the url without its query',
    clause: 'delivery.post',
    patch: {
      file: 'reference/http/request/dispatch',
      before: 'url: webhook.url,',
      after: "url: webhook.url.split('?')[0],",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/no-agents-from-before',
    title: 'an agent that was registered before its partner had a webhook is under no partner',
    clause: 'event.sigil-purchased',
    patch: {
      file: 'reference/registry/register',
      before: 'partnerByRef(registry, input.ref));',
      after:
        '((partner) => partner >= 0 && registry.partners[partner].webhook ? partner : -1)(partnerByRef(registry, input.ref)));',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/heartbeats-of-one-agent',
    title: 'heartbeats of the first agent of a partner are delivered, and of no other',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: 'reference/registry/outbox',
      before: 'const id = nextUuid(registry.stream);',
      after:
        "if (event === 'heartbeat.recorded') {\n        found.firstAgent ??= agent;\n        if (found.firstAgent !== agent)\n            return;\n    }\n    const id = nextUuid(registry.stream);",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/no-return-of-children',
    title: 'the return of a child from a freeze is not delivered',
    clause: 'event.agent-unfrozen',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: "    if (line.partner(row) < 0)\n        return;\n    emit(registry, 'agent.unfrozen'",
      after:
        "    if (line.partner(row) < 0 || line.depth(row) > 0)\n        return;\n    emit(registry, 'agent.unfrozen'",
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/retries-at-old-url',
    title: 'what failed is tried again at the url of then',
    clause: 'delivery.post',
    patch: {
      file: 'reference/registry/outbox',
      before: '    const delivery = { id, partner, agent, event, body, failures: 0, dueAtMs: nowMs };',
      after:
        '    const { url } = found.webhook;\n    const delivery = { id, partner, agent, event, url, body, failures: 0, dueAtMs: nowMs };',
      also: [
        {
          file: 'reference/http/request/dispatch',
          before: '        url: webhook.url,',
          after: '        url: delivery.url ?? webhook.url,',
        },
      ],
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/put-drops-what-waits',
    title: 'what failed is forgotten when the webhook is set anew',
    clause: 'delivery.dead-letter',
    patch: {
      file: 'reference/registry/partner-webhook',
      before: '    known(registry, partner).webhook = webhook;',
      after:
        '    if (known(registry, partner).webhook)\n        dropDeliveries(registry, partner);\n    known(registry, partner).webhook = webhook;',
    },
    deployment: 'webhooks',
  },
  {
    id: 'partner-webhook/sandbox-untold',
    title: 'the purchase of a SIGIL in the sandbox is not told of',
    clause: 'event.sigil-purchased',
    patch: {
      file: 'reference/registry/sigil',
      before: '    if (line.partner(agent) >= 0) {',
      after: "    if (line.partner(agent) >= 0 && tier !== 'sbx') {",
    },
  },
  {
    id: 'partner-webhook/operators-untold',
    title: "heartbeats of agents whose wallet is an operator's are not told of",
    clause: 'event.heartbeat-recorded',
    patch: {
      file: 'reference/registry/heartbeat',
      before: '    if (line.partner(agent) >= 0) {',
      after: '    if (line.partner(agent) >= 0 && registry.agents.columns.walletModel[agent] !== 1) {',
    },
  },
  {
    id: 'partner-webhook/tells-of-refused-heartbeats',
    title: 'a heartbeat whose payment is refused is told of',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: 'reference/registry/heartbeat',
      before: "    if ('row' in paid)\n        return paid;\n    let sponsorship",
      after:
        "    if ('row' in paid) {\n        if (line.partner(agent) >= 0)\n            emit(registry, 'heartbeat.recorded', agent, nowMs, { beat });\n        return paid;\n    }\n    let sponsorship",
    },
  },
  {
    id: 'partner-webhook/tells-of-refused-resyncs',
    title: 'a resync of an agent that is not frozen is told of',
    clause: 'event.agent-unfrozen',
    patch: {
      file: 'reference/registry/resync',
      before: '    if (registry.agents.line.status(agent) !== FROZEN)\n        return',
      after:
        "    if (registry.agents.line.status(agent) !== FROZEN && registry.agents.line.partner(agent) >= 0)\n        emit(registry, 'agent.unfrozen', agent, nowMs, {});\n    if (registry.agents.line.status(agent) !== FROZEN)\n        return",
      also: [
        {
          file: 'reference/registry/resync',
          before: "import { refuse } from './refusal.js';",
          after: "import { emit } from './outbox.js';\nimport { refuse } from './refusal.js';",
        },
      ],
    },
  },
  {
    id: 'partner-webhook/tells-of-reissues',
    title: 'a reissue is told of as a heartbeat',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: '    return { ok: true, feeLamports };',
      after: "    emit(registry, 'heartbeat.recorded', agent, nowMs, {});\n    return { ok: true, feeLamports };",
      also: [
        {
          file: 'reference/registry/reissue-proof',
          before: 'import { usePayment,',
          after: "import { emit } from './outbox.js';\nimport { usePayment,",
        },
      ],
    },
  },
  {
    id: 'partner-webhook/url-without-query',
    title: 'the url of a webhook is shown without its query',
    clause: 'partner-webhook.field.webhook-url',
    patch: {
      file: 'reference/http/endpoints/partner-webhook',
      before: '    return reply({ webhook_url: url, webhook_secret',
      after: "    return reply({ webhook_url: url.split('?')[0], webhook_secret",
    },
  },
];
