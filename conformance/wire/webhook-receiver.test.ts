import { describe, expect, it } from 'vitest';
import { WebhookReceiver } from './webhook-receiver.js';

const delivered = (text: string) => ({ method: 'POST', headers: {}, text });

describe('the receiver of webhooks', () => {
  it('keeps 10,000 deliveries of a flood, and answers 503 to more', () => {
    const receiver = WebhookReceiver.fed('http://127.0.0.1:1');
    const inbox = receiver.inbox('a');
    const answers = Array.from({ length: 12_000 }, () => receiver.deliver('/a', delivered('{}')));
    expect([answers[0], answers[9_999], answers[10_000], inbox.got.length]).toEqual([204, 204, 503, 10_000]);
  });

  it('keeps 32 million characters of large deliveries, and of those to nobody', () => {
    const receiver = WebhookReceiver.fed('http://127.0.0.1:1');
    const inbox = receiver.inbox('a');
    const text = 'x'.repeat(200_000);
    for (let n = 0; n < 1_000; n += 1) receiver.deliver('/a', delivered(text));
    for (let n = 0; n < 20_000; n += 1) receiver.deliver('/b', delivered(''));
    expect(inbox.got).toHaveLength(167);
    expect(receiver.strays.length).toBeLessThan(10_000);
  });
});
