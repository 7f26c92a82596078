/** The types of the capabilities that applications and adapters use. */

import type { DevicePages } from './device/prompts.js'

export type * from './device/prompts.js'
export type * from './device/records.js'

/** The pages that the capabilities add. */
export interface FeaturePages extends DevicePages {}
