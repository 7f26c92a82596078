/** Sends one request to the admin API with the sign-in of the user: `<server> <call as JSON>`. Prints what comes of it as JSON. */

import { openConnection } from '@ostiary/admin-client'

const [server, call] = process.argv.slice(2)
const connection = await openConnection(server, { env: process.env })
const { status, body } = await connection.request(JSON.parse(call))
console.log(JSON.stringify({ status, body }))
