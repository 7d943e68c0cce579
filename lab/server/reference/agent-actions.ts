/** The actions that act for agents of the reference, make new ones, and open one request with its reply. Each shows its requests. */

import { z } from 'zod';
import { shellWord } from '../../../reports/text/shell-word.js';
import { identityClasses } from '../../../spec/vocabulary.js';
import { type Action, ActionRefused, action } from '../action.js';
import type { CommandFolder } from '../command-folder.js';
import type { LivingReference } from './living-reference.js';
import type { LoggedRequest } from './request-log.js';
import { rowOfAgent } from './service-views.js';

const name = z.string().max(200);
const agent = name;

/** The schema of an act: what each needs besides the agent. */
const acts = z.discriminatedUnion('do', [
  z.strictObject({ agent, do: z.enum(['heartbeat', 'resync']) }),
  z.strictObject({ agent, do: z.literal('sigil'), identityClass: z.enum(identityClasses) }),
  z.strictObject({ agent, do: z.literal('sponsor'), child: name, cap: z.int() }),
  z.strictObject({ agent, do: z.literal('flag'), target: name, assertedClass: name, reason: z.string().max(4_000) }),
  z.strictObject({ agent, do: z.literal('spawn'), name }),
]);

/** An act as the page shows it: its requests, of which the last one decides, and the command that does the same. */
export interface ActDone {
  readonly requests: readonly LoggedRequest[];
  readonly again: string;
}

/** The actions over a reference; `curlOf` makes the command that does an action of the lab, and `folder` keeps keys for curl. */
export function agentActions(
  reference: LivingReference,
  curlOf: (path: string, body: object) => string,
  folder: CommandFolder,
): readonly Action[] {
  const requirePresent = (): void => {
    if (reference.past !== undefined)
      throw new ActionRefused(409, 'PAST_SHOWN', 'this is a copy of an earlier moment: go back to the present first');
  };
  const rowOf = (agentName: string): number => {
    requirePresent();
    const row = rowOfAgent(reference.running.host.service, agentName);
    if (row < 0) throw new ActionRefused(404, 'AGENT_NOT_FOUND', 'no agent has this hash or row at this moment');
    return row;
  };
  const done = (path: string, body: object, requests: readonly LoggedRequest[] = []): ActDone => ({
    requests,
    again: curlOf(path, body),
  });
  return [
    action(
      'server/act',
      'Acts for an agent: heartbeat, resync, sigil, sponsor, flag or spawn; returns its requests, of which the last one decides.',
      acts,
      async ({ agent: agentName, ...act }) =>
        done('server/act', { agent: agentName, ...act }, await reference.acting.act(rowOf(agentName), act)),
    ),
    action(
      'server/make',
      'Makes a root agent of this name with a wallet, and starts its chain.',
      z.strictObject({ name }),
      async (body) => {
        requirePresent();
        return done('server/make', body, await reference.acting.make(body.name));
      },
    ),
    action(
      'server/silence',
      'Leaves out the heartbeats of an agent of the population, or no longer.',
      z.strictObject({ agent, on: z.boolean() }),
      (body) => {
        reference.acting.silence(rowOf(body.agent), body.on);
        return done('server/silence', body);
      },
    ),
    action(
      'server/freeze',
      'Leaves out the heartbeats of an agent, and lets time pass until it is frozen.',
      z.strictObject({ agent }),
      async (body) => {
        await reference.acting.freeze(rowOf(body.agent));
        return done('server/freeze', body);
      },
    ),
    action(
      'server/request',
      'Returns one request that the reference answered, with its reply and the curl that sends it again.',
      z.strictObject({ n: z.int().min(1) }),
      ({ n }) => {
        const found = reference.log.entry(n);
        if (found === undefined)
          throw new ActionRefused(404, 'REQUEST_NOT_FOUND', `request ${n} was not made, or is too long ago to be kept`);
        return { ...found, command: requestCurl(reference, found, folder) };
      },
    ),
  ];
}

/** The curl that sends a request again; its key is in a file of the folder. */
function requestCurl(
  { running }: LivingReference,
  { entry, texts }: NonNullable<ReturnType<LivingReference['log']['entry']>>,
  folder: CommandFolder,
): string {
  const { method, path } = entry;
  const base = path.startsWith(WORK_PATH) ? running.beatsUrl : running.baseUrl;
  const { authorization, forwardedFor, request } = texts;
  const key = authorization === undefined ? '' : folder.write('agent', '.header', `Authorization: ${authorization}\n`);
  return [
    `curl -sS -X ${method} ${shellWord(base + path)}`,
    ...(key === '' ? [] : [`-H @${key}`]),
    ...(forwardedFor === undefined ? [] : [`-H ${shellWord(`X-Forwarded-For: ${forwardedFor}`)}`]),
    ...(request === '' ? [] : [`-H 'Content-Type: application/json' --data-raw ${shellWord(request)}`]),
  ].join(' ');
}

const WORK_PATH = '/api/v1/beat/work-proof';
