import { describe, expect, it } from 'vitest'
import { imageType } from './image-type.js'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('imageType', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n rest'],
    ['image/jpeg', '\xff\xd8\xff\xe0 rest'],
    ['image/webp', 'RIFF\x10\x00\x00\x00WEBPVP8 '],
    ['image/gif', 'GIF87a rest'],
    ['image/gif', 'GIF89a rest'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['image/svg+xml', '\n <svg>'],
    ['image/svg+xml', '<svg/>'],
    ['image/svg+xml', '\xef\xbb\xbf<svg>'],
    ['image/svg+xml', '<?xml version="1.0"?>\n<!-- a logo --><svg\nwidth="1"/>'],
    ['image/svg+xml', '<!-- a logo --><svg>'],
    [null, ''],
    [null, 'RIFF\x10\x00\x00\x00WAVE'],
    [null, 'RIFF'],
    [null, ' GIF89a'],
    [null, '<html><svg></svg></html>'],
    [null, '<script>alert(1)</script><svg>'],
    [null, '<svgx>'],
    [null, '<?xml version="1.0"?><html/>'],
    [null, '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'],
    [null, '<?xml version="1.0"?><!doctype svg><svg/>'],
    [null, `<!--${'x'.repeat(2000)}--><svg>`],
    [null, '<svg>\xff\xfe'],
    [null, '%PDF-1.7'],
    [null, '\x00\x00\x01\x00'],
  ])('%s: %j', (type, text) => {
    expect(imageType(bytes(text))).toBe(type)
  })
})
