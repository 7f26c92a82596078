import { printable } from '../server-origin.js'

/** A member of a request that is wrong. */
export interface ProblemMember {
  /** RFC 6901; `?name` for a parameter of the query. */
  pointer: string
  message: string
  /** The name that was probably meant. */
  suggestion?: string
}

/** The body of a refusal (RFC 9457). */
export interface Problem {
  type: string
  title: string
  detail?: string
  errors?: readonly ProblemMember[]
  request_id?: string
}

/** The API has refused a request. The message says why. */
export class AdminApiError extends Error {
  /** The HTTP status: 400 or above. */
  readonly status: number
  /** What the API says. */
  readonly problem: Problem

  constructor(
    status: number,
    problem: Problem,
    message: string = printable(problem.detail ?? problem.title),
  ) {
    super(message)
    this.name = 'AdminApiError'
    this.status = status
    this.problem = problem
  }
}
