/** Why a simulation has no result. */
export type SimulationFault = 'conflict' | 'too_many_requests' | 'unavailable'

/** A simulation cannot say what would happen. The message says what to do. */
export class SimulationError extends Error {
  readonly code: SimulationFault

  constructor(code: SimulationFault, message: string) {
    super(message)
    this.name = 'SimulationError'
    this.code = code
  }
}
