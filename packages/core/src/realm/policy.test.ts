import { describe, expect, it } from 'vitest'
import { parseConfig } from '../config/parse.js'
import { realmPolicy } from './policy.js'

describe('requests to this computer follow from the issuer', () => {
  const reaches = (issuer: string) => realmPolicy(parseConfig({ issuer }).settings).reaches_loopback

  it.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://id.localhost:8443',
  ])('%s is on it', (issuer) => {
    expect(reaches(issuer)).toBe(true)
  })

  it.each([
    'https://id.example.com',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
    'https://notlocalhost',
    'https://10.0.0.1',
    'https://0.0.0.0',
    'https://[fd00::1]',
  ])('%s is not', (issuer) => {
    expect(reaches(issuer)).toBe(false)
  })
})
