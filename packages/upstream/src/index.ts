export type { UpstreamFetch } from './protocol/limited-fetch.js'
export { upstreamProblem } from './reach.js'
export { type UpstreamSettings, upstreamFaults } from './settings.js'
export { createUpstreams, type RealmUpstreams, type UpstreamsOptions } from './upstreams.js'
