/** Repeated SIGKILL while clients are at work. */

import { newLedger, succeededTwice } from './ledger.ts'
import { replay, rotate, type Site, startLoad } from './load.ts'
import type { Provider } from './provider.ts'

/** Chains that are checked after each start: half of them go on, half are replayed. */
const LOOK_AT = 4

/** Kills the server this many times; then every chain that is left goes on once more. */
export async function killUnderLoad(provider: Provider, sites: readonly Site[], kills: number) {
  const ledger = newLedger()
  const load = startLoad(provider, sites, ledger)
  const counted = { kills: 0, replays_that_succeeded: 0 }
  for (; counted.kills < kills; counted.kills += 1) {
    // At a different moment each time.
    await load.answers(10 + Math.floor(Math.random() * 20))
    await provider.kill()
    await provider.start()
    for (const [index, chain] of load.resting.splice(0, LOOK_AT).entries()) {
      if (index % 2 === 1) counted.replays_that_succeeded += await replay(chain, ledger)
      else {
        await rotate(provider, chain, ledger)
        load.resting.push(chain)
      }
    }
  }
  await load.stop()
  for (const chain of load.resting) await rotate(provider, chain, ledger)
  const { lost: answers_lost, served_after_a_loss, refused_after_a_loss } = ledger
  const losses = { answers_lost, served_after_a_loss, refused_after_a_loss }
  return {
    ledger,
    counts: { ...counted, ...losses, wrong_answers: ledger.faults.length, ...succeededTwice(ledger) },
  }
}
