/** The headers that programs and browsers send by themselves with a request for which their user has set none. */

/** Programs. The first one lists `text/html`, although it shows no pages. */
export const PROGRAM_HEADERS = {
  'HttpURLConnection of Java': {
    'user-agent': 'Java/17.0.15',
    accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    connection: 'keep-alive',
  },
  'urllib of Python': {
    'user-agent': 'Python-urllib/3.13',
    'accept-encoding': 'identity',
    connection: 'close',
  },
  curl: { 'user-agent': 'curl/8.14.1', accept: '*/*' },
  'fetch of Node': {
    'user-agent': 'node',
    accept: '*/*',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'accept-encoding': 'gzip, deflate',
  },
  okhttp: { 'user-agent': 'okhttp/5.1.0', 'accept-encoding': 'gzip', connection: 'Keep-Alive' },
} as const satisfies Record<string, Record<string, string>>

/** A browser that navigates. */
export const NAVIGATION_HEADERS: Readonly<Record<string, string>> = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
  'upgrade-insecure-requests': '1',
}
