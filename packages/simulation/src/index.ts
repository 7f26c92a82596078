export type { AuthorizationInput, AuthorizationOutcome } from './authorization.js'
export { type SimulationCall, type SimulationOperation, simulationOperations } from './operations.js'
export type { Cause, Refusal } from './outcome.js'
export type { CoreFunctions } from './place/place.js'
export type { SimulatedSession } from './place/session.js'
export type {
  SignInInput,
  SignInLimit,
  SignInOutcome,
  SignInPlace,
  SignInSources,
  SignInUser,
  SignInWay,
} from './sign-in.js'
export { createSimulation, type Simulation, type SimulationOptions } from './simulation.js'
export { SimulationError, type SimulationFault } from './simulation-error.js'
export type { ShownClaim, WithheldClaim } from './tokens/claims.js'
export type { ShownToken, TokensInput, TokensOutcome } from './tokens/simulate-tokens.js'
