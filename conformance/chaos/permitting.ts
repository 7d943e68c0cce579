/** Applies permitted forms to the replies of a server. chaos.ts draws the forms. */
import { matches } from '../../spec/endpoint.js';
import { type EndpointId, endpointIds, endpointOf } from '../../spec/endpoint-ids.js';
import { isObject, type JsonObject as Json } from '../../spec/formats.js';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';
import { objectOf, type PermittedForm, type ReplyContext } from './form.js';

/** Which of the two services a request goes to; undefined: neither, and it passes as it is. */
export type ServiceOf = (request: WireRequest) => 'registry' | 'beats' | undefined;

function endpointAt(request: WireRequest, serviceOf: ServiceOf): EndpointId | undefined {
  const { pathname } = new URL(request.url);
  const service = serviceOf(request);
  return endpointIds.find((id) => {
    const endpoint = endpointOf(id);
    return endpoint.service === service && matches(endpoint, request.method, pathname);
  });
}

/** A transport that gives a server these forms, one after the other. */
export function permitting(send: Transport, forms: readonly PermittedForm[], serviceOf: ServiceOf): Transport {
  const remembering = forms.reduce((each, { around }) => around?.(each) ?? each, send);
  return async (request) => {
    const endpoint = endpointAt(request, serviceOf);
    if (endpoint === undefined) return remembering(request);
    const reply = await remembering(forms.reduceRight((each, form) => form.request?.(each) ?? each, request));
    const { body } = request;
    const { status } = reply;
    const sent = { sent: objectOf(body ?? ''), ...(body === undefined ? {} : { body }) };
    return formed(reply, forms, { endpoint, status, ok: status >= 200 && status < 300, ...sent });
  };
}

function formed(reply: WireReply, forms: readonly PermittedForm[], at: ReplyContext): WireReply {
  const answer = forms.reduce((each, form) => form.answer?.(each, at) ?? each, reply);
  const json = objectOf(answer.body);
  if (Object.keys(json).length === 0) return answer;
  const written = JSON.stringify(forms.reduce((each, form) => replied(each, form, at), json));
  return { ...answer, body: forms.reduce((each, { text }) => text?.(each) ?? each, written) };
}

function replied(json: Json, { reply }: PermittedForm, at: ReplyContext): Json {
  const changed = reply === undefined ? json : reply(json, at);
  return isObject(changed) ? changed : json;
}
