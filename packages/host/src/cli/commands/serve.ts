import type { Command } from '../command.js'

export const serve: Command = {
  name: 'serve',
  summary: 'Start the server',
  about: [
    'Clients and users are brought in line with the configuration, then it listens. Its log is JSON lines on standard output, with --json and without. SIGTERM and SIGINT end it, once the requests under way are answered.',
  ],
  examples: [
    ['ostiary serve', 'Serve on port 3000 of this machine'],
    ['PORT=8080 HOST=0.0.0.0 ostiary serve', 'Serve on port 8080 of every address'],
  ],
  run: (_input, { serve: start }) => start(),
}
