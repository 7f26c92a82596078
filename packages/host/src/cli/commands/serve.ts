import type { Command } from '../command.js'

export const serve: Command = {
  name: 'serve',
  effect: 'serves',
  summary: 'Start the server',
  about: [
    'The server creates and updates the clients and users of the configuration, then listens. Its log is on standard output: lines for people on a terminal, else JSON lines; LOG_FORMAT chooses. SIGTERM and SIGINT stop it after the requests in progress; SIGHUP reads the configuration again, and stops it in a terminal.',
    'Without a configuration it runs in try-out mode, with a demo client, and a demo user whose password it prints. Where DATABASE_URL or REDIS_URL is set, NODE_ENV is production or HOST is not the loopback, a missing file is an error.',
  ],
  options: {
    'try-out': {
      help: 'Start try-out mode even if DATABASE_URL, REDIS_URL, NODE_ENV=production or HOST look like a deployment',
    },
  },
  examples: [
    ['ostiary serve', 'Listen on port 3000 of the loopback'],
    ['PORT=8080 HOST=0.0.0.0 ostiary serve', 'Listen on port 8080 of every address'],
  ],
  run: (input, { serve: start }) => start({ try_out: input.flag('try-out') }),
}
