import { type Client, clientFields } from '@ostiary/core'

const ABSENT = Object.fromEntries(Object.entries(clientFields).map(([name, { absent }]) => [name, absent]))

/** A public client that may ask for codes and refresh tokens; the fields that matter to a test replace these. */
export const clientRecord = (fields: Partial<Client> = {}): Client =>
  ({
    ...ABSENT,
    client_id: 'app',
    client_name: 'The App',
    redirect_uris: ['https://client.example.com/callback'],
    ...fields,
  }) as Client
