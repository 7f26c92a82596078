/** The MCP server. It gets the caller's scopes, and no token. */

import { type AuthInfo, type McpRequestContext, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

const notes: string[] = []

/** A new server for each request. All callers share the notes. */
export function notesServer({ authInfo }: McpRequestContext): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool('list_notes', { description: 'Lists the notes' }, () => text(notes.join('\n')))
  server.registerTool(
    'add_note',
    { description: 'Adds a note', inputSchema: z.object({ note: z.string().max(1000) }) },
    ({ note }) => {
      if (!mayWrite(authInfo)) return { ...text('This needs the scope notes.write'), isError: true }
      notes.push(note)
      return text('Noted')
    },
  )
  return server
}

const mayWrite = (authInfo?: AuthInfo): boolean => authInfo?.scopes.includes('notes.write') ?? false
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })
