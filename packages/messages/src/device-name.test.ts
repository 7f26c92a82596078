import { describe, expect, it } from 'vitest'
import { deviceOf } from './device-name.js'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/139.0.0.0 Safari/537.36`
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${KHTML}`

describe('deviceOf', () => {
  it.each([
    [
      'Firefox',
      'Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0',
    ],
    ['Firefox', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'],
    ['Firefox', 'Android', 'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0'],
    ['Firefox', 'iPhone', `${IPHONE} FxiOS/142.0 Mobile/15E148 Safari/605.1.15`],
    ['Chrome', 'Windows', WINDOWS],
    [
      'Chrome',
      'macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Chrome/139.0.0.0 Safari/537.36`,
    ],
    ['Chrome', 'Android', `${ANDROID} Chrome/139.0.0.0 Mobile Safari/537.36`],
    [
      'Chrome',
      'ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/139.0.0.0 Safari/537.36`,
    ],
    ['Chrome', 'iPhone', `${IPHONE} CriOS/139.0.7258.76 Mobile/15E148 Safari/604.1`],
    ['Chrome', 'Linux', `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/139.0.0.0 Safari/537.36`],
    ['Edge', 'Windows', `${WINDOWS} Edg/139.0.0.0`],
    ['Edge', 'Android', `${ANDROID} Chrome/139.0.0.0 Mobile Safari/537.36 EdgA/139.0.0.0`],
    ['Edge', 'iPhone', `${IPHONE} Version/18.0 EdgiOS/139.0.0.0 Mobile/15E148 Safari/605.1.15`],
    ['Opera', 'Windows', `${WINDOWS} OPR/121.0.0.0`],
    ['Samsung Internet', 'Android', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
    ['Vivaldi', 'Windows', `${WINDOWS} Vivaldi/7.5.3735.66`],
    ['DuckDuckGo', 'macOS', `${MAC} Version/18.6 Safari/605.1.15 Ddg/18.6`],
    ['Safari', 'macOS', `${MAC} Version/18.6 Safari/605.1.15`],
    ['Safari', 'iPhone', `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
    ['Safari', 'iPad', `${IPHONE.replaceAll('iPhone', 'iPad')} Version/18.6 Mobile/15E148 Safari/604.1`],
    [null, null, 'curl/8.15.0'],
    [null, null, ''],
    [null, null, null],
    [null, 'Windows', 'Call 0800 1234 now/1.0 (Windows)'],
  ])('%s on %s', (browser, system, user_agent) => {
    expect(deviceOf(user_agent)).toEqual({ browser, system })
  })
})
