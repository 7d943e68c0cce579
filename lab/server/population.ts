/** The population that lives in the lab where no scenario is given: small, and with something of everything that the page shows. */

/** The scenario of that population, as YAML. */
export const POPULATION = `format: 1
name: lab
question: What does a registry look like while agents live in it?
description: >-
  A small town. Sensors send keep-alives, workers work, one sends too many heartbeats, a family has children that it pays for,
  and two agents complain about others. Some have outages, and freeze.
seed: 3
duration: 30d
populations:
  - name: sensors
    count: 12
    class: narrow_task
    arrivals: { pattern: uniform, over: 30m }
    heartbeat: { policy: keep_alive, margin: 5m, spread: 10m }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
    outages:
      up: { distribution: exponential, mean: 8h }
      down: { distribution: lognormal, mean: 90m, sigma: 1 }
  - name: workers
    count: 10
    class: autonomous
    arrivals: { pattern: uniform, over: 1h }
    heartbeat: { policy: interval, every: 25m, jitter: 0.2 }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
  - name: hasty
    count: 2
    class: orchestrator
    heartbeat: { policy: spam, every: 4m }
    budget: { wallet: 3 SOL }
    hash_rate: 2M hashes/s
  - name: critics
    count: 2
    class: narrow_task
    heartbeat: { policy: interval, every: 40m }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
    flagging: { every: { distribution: exponential, mean: 3h }, targets: workers }
  - name: parents
    count: 2
    class: narrow_task
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 10 SOL }
    hash_rate: 2M hashes/s
    spawning:
      into: children
      every: { distribution: fixed, mean: 20m }
      children_max: 4
      sponsor: { cap: 1000 }
  - name: children
    count: 8
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 0 lamports }
    hash_rate: 2M hashes/s
reviews:
  delay: { distribution: exponential, mean: 1d }
  accuracy: 0.9
  resolve: { distribution: fixed, mean: 2d }
interventions:
  - { kind: subsidy, at: 1h, for: 10d, populations: [sensors], discount_bps: 2500 }
measures: { every: 1h }
`;
