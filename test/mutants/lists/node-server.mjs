/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'apps/node-server',
  mutants: [
    {
      id: 'two Host headers',
      file: 'apps/node-server/src/runtime.ts',
      find: 'if (host.length > 1) delete headers.host',
      replace: '',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'only HTTP/1.0 may have no Host',
      file: 'apps/node-server/src/runtime.ts',
      find: "if (host.length === 0 && httpVersion === '1.0') headers.host = 'localhost'",
      replace: "if (host.length === 0) headers.host = 'localhost'",
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'HTTP/1.0 without a Host',
      file: 'apps/node-server/src/runtime.ts',
      find: "if (host.length === 0 && httpVersion === '1.0') headers.host = 'localhost'",
      replace: '',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'ambiguous path',
      file: 'apps/node-server/src/runtime.ts',
      find: "if (isAmbiguousPath(incoming.url ?? '')) {",
      replace: 'if (false) {',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'ambiguous path is marked',
      file: 'apps/node-server/src/runtime.ts',
      find: '.ambiguous_path = true',
      replace: '.ambiguous_path = false',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'address of the peer',
      file: 'apps/node-server/src/runtime.ts',
      find: 'address: incoming.socket.remoteAddress,',
      replace: 'address: undefined,',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'head limit',
      file: 'apps/node-server/src/runtime.ts',
      find: 'maxHeaderSize: LIMITS.head_bytes',
      replace: 'maxHeaderSize: 10 * LIMITS.head_bytes',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'slow head',
      file: 'apps/node-server/src/runtime.ts',
      find: 'headersTimeout: head_ms',
      replace: 'headersTimeout: 100 * head_ms',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'malformed request is no failure',
      file: 'apps/node-server/src/runtime.ts',
      find: "if (error instanceof Error && error.name === 'RequestError') return malformed()",
      replace: '',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'failure is reported',
      file: 'apps/node-server/src/runtime.ts',
      find: '    failed(error)\n',
      replace: '',
      tests: ['test/runtime.test.ts'],
    },
    {
      id: 'idle connections',
      file: 'apps/node-server/src/runtime.ts',
      find: 'setInterval(() => server.closeIdleConnections(), 50)',
      replace: 'setInterval(() => {}, 50)',
      tests: ['test/runtime.test.ts'],
    },
  ],
}
export default list
