import type { Command } from '../command.js'

export const serve: Command = {
  name: 'serve',
  summary: 'Start the server',
  about: [
    'Clients and users are brought in line with the configuration, then it listens. Its log is JSON lines on standard output, with --json and without. SIGTERM and SIGINT end it, once the requests under way are answered.',
    'Without a configuration it is try-out mode, which writes a demo client and a demo user with a printed password. Where DATABASE_URL or REDIS_URL is set, NODE_ENV is production or HOST is not the loopback, a missing file is an error instead: it is what a deployment that has lost its file looks like.',
  ],
  options: {
    'try-out': {
      help: 'Start the demo although DATABASE_URL, REDIS_URL, NODE_ENV=production or HOST look like a deployment',
    },
  },
  examples: [
    ['ostiary serve', 'Serve on port 3000 of this machine'],
    ['PORT=8080 HOST=0.0.0.0 ostiary serve', 'Serve on port 8080 of every address'],
  ],
  run: (input, { serve: start }) => start({ try_out: input.flag('try-out') }),
}
