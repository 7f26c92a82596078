/** The types of an OpenAPI document, as a user of the API generates them. */

import openapiTS, { astToString } from 'openapi-typescript'

/** The text of a module that exports `paths`, for `createClient` of `openapi-fetch`. */
export const clientTypes = async (document: object): Promise<string> =>
  astToString(await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0]))
