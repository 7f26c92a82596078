import { describe, expect, it } from 'vitest'
import { smtpServer } from '../src/mail/smtp-connection.ts'
import { readSmtpUrl, SMTP_URL_FAULT } from '../src/network/smtp-url.ts'

const server = (changes: object) => ({
  host: 'smtp.example.com',
  servername: 'smtp.example.com',
  port: 465,
  tls: 'implicit',
  auth: null,
  ...changes,
})

describe('the URL of a mail server', () => {
  it.each([
    ['smtps://smtp.example.com', {}],
    ['smtps://smtp.example.com:2465/', { port: 2465 }],
    ['SMTPS://SMTP.Example.COM', {}],
    ['smtp://smtp.example.com', { port: 587, tls: 'starttls' }],
    ['smtp://192.0.2.1:25', { host: '192.0.2.1', servername: '192.0.2.1', port: 25, tls: 'starttls' }],
    ['smtp://[2001:DB8::1]', { host: '2001:db8::1', servername: '2001:db8::1', port: 587, tls: 'starttls' }],
    ['smtps://u:p@smtp.example.com', { auth: { user: 'u', pass: 'p' } }],
    ['smtps://a%40b.c:p%3A%2F%25%20%C3%BC@smtp.example.com', { auth: { user: 'a@b.c', pass: 'p:/% ü' } }],
    ['smtps://a@b.c:p:q@smtp.example.com', { auth: { user: 'a@b.c', pass: 'p:q' } }],
  ])('%s', (url, changes) => {
    expect(readSmtpUrl(url)).toEqual(server(changes))
    expect(smtpServer(url)).toEqual(server(changes))
  })

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('%s needs no TLS', (host) => {
    expect(readSmtpUrl(`smtp://${host}:1025`)).toMatchObject({ port: 1025, tls: 'none' })
  })

  it('localhost is this machine, whatever a DNS server says', () => {
    expect(readSmtpUrl('smtps://localhost')).toEqual(server({ host: '127.0.0.1', servername: 'localhost' }))
  })

  it.each([
    'localhost.example.com',
    '127.0.0.1.example.com',
    '127.0.0.2',
    '[::ffff:127.0.0.1]',
    'notlocalhost',
  ])('%s needs TLS', (host) => {
    expect(readSmtpUrl(`smtp://${host}`)).toMatchObject({ tls: 'starttls' })
  })

  it.each([
    '',
    'smtp.example.com',
    'smtp.example.com:465',
    'https://smtp.example.com',
    'smtps:',
    'smtps:///',
    'smtps://m%0d%0aail',
    'smtps://user:pa/ss@smtp.example.com',
    'smtps://smtp.example.com:99999',
    'smtps://smtp.example.com/inbox',
    'smtps://smtp.example.com?tls.rejectUnauthorized=false',
    'smtps://smtp.example.com#x',
    'smtps://user@smtp.example.com',
    'smtps://:secret@smtp.example.com',
    'smtps://user:100%@smtp.example.com',
    'smtps://100%:secret@smtp.example.com',
  ])('%j is refused', (url) => {
    expect(readSmtpUrl(url)).toBeNull()
    expect(() => smtpServer(url)).toThrow(SMTP_URL_FAULT)
  })
})
