/** Texts of the pages of signing keys. */

import type { Translations } from '@ostiary/console'

export const KEYS = {
  done: {
    key_rotated: [
      'The new key is published. It signs from the time in the list.',
      'Der neue Schlüssel ist veröffentlicht. Er signiert ab der Zeit in der Liste.',
      'La nouvelle clé est publiée. Elle signe à partir de la date de la liste.',
    ],
    key_revoked: [
      'The key is revoked: what it has signed is refused.',
      'Der Schlüssel ist widerrufen: Was er signiert hat, wird abgelehnt.',
      'La clé est révoquée : ce qu’elle a signé est refusé.',
    ],
  },
  keys: {
    title: ['Signing keys', 'Signaturschlüssel', 'Clés de signature'],
    lead: [
      'With these keys the realm signs tokens. Applications and APIs check them with the published part.',
      'Mit diesen Schlüsseln signiert das Realm Tokens. Anwendungen und APIs prüfen sie mit dem veröffentlichten Teil.',
      'Avec ces clés, le domaine signe les jetons. Les applications et les API les vérifient avec la partie publiée.',
    ],
    none: ['There is no key yet', 'Es gibt noch keinen Schlüssel', 'Il n’y a pas encore de clé'],
    none_why: [
      'The server makes the first key of each algorithm when it signs the first token.',
      'Der Server erzeugt den ersten Schlüssel jedes Algorithmus, wenn er das erste Token signiert.',
      'Le serveur crée la première clé de chaque algorithme lorsqu’il signe le premier jeton.',
    ],
  },
  key: {
    kid: ['Key', 'Schlüssel', 'Clé'],
    alg: ['Algorithm', 'Algorithmus', 'Algorithme'],
    state: ['State', 'Zustand', 'État'],
    created: ['Created', 'Angelegt', 'Créée'],
  },
  state: {
    signs: ['Signs now', 'Signiert jetzt', 'Signe maintenant'],
    waits: ['Published, signs from', 'Veröffentlicht, signiert ab', 'Publiée, signe à partir du'],
    rests: [
      'Signs no more, still accepted',
      'Signiert nicht mehr, gilt noch',
      'Ne signe plus, encore acceptée',
    ],
  },
  rotate: {
    title: ['New key', 'Neuer Schlüssel', 'Nouvelle clé'],
    lead: [
      'The new key is published at once, and signs when every API knows it. What the old key has signed stays valid. For a key that has leaked, revoke it instead.',
      'Der neue Schlüssel wird sofort veröffentlicht und signiert, sobald jede API ihn kennt. Was der alte signiert hat, gilt weiter. Ist ein Schlüssel in fremde Hände geraten, widerrufen Sie ihn stattdessen.',
      'La nouvelle clé est publiée immédiatement et signe dès que chaque API la connaît. Ce que l’ancienne a signé reste valable. Si une clé a fuité, révoquez-la plutôt.',
    ],
    alg_hint: [
      'Needed where the realm has several. There are keys of: {algorithms}',
      'Nötig, wo das Realm mehrere hat. Es gibt Schlüssel für: {algorithms}',
      'Nécessaire si le domaine en a plusieurs. Il y a des clés pour : {algorithms}',
    ],
    publish_before: [
      'Seconds until it signs',
      'Sekunden, bis er signiert',
      'Secondes avant qu’elle ne signe',
    ],
    publish_before_hint: [
      'Empty: as in the configuration. 0 signs at once, and some APIs refuse new tokens for up to an hour.',
      'Leer: wie in der Konfiguration. Mit 0 signiert er sofort, und manche APIs lehnen neue Tokens bis zu einer Stunde lang ab.',
      'Vide : comme dans la configuration. Avec 0, elle signe aussitôt, et certaines API refusent les nouveaux jetons jusqu’à une heure.',
    ],
    button: ['Publish the key', 'Schlüssel veröffentlichen', 'Publier la clé'],
  },
  revoke: {
    title: ['Revoke this key?', 'Diesen Schlüssel widerrufen?', 'Révoquer cette clé ?'],
    lead: [
      'For a key that has leaked. Every token that it has signed is refused within 30 seconds, also the one with which you are signed in here. APIs that keep the published keys trust it for up to an hour more: restart them.',
      'Für einen Schlüssel in fremden Händen. Jedes Token, das er signiert hat, wird binnen 30 Sekunden abgelehnt, auch das Ihrer Anmeldung hier. APIs, die die veröffentlichten Schlüssel aufbewahren, vertrauen ihm noch bis zu einer Stunde: Starten Sie sie neu.',
      'Pour une clé qui a fuité. Chaque jeton qu’elle a signé est refusé sous 30 secondes, y compris celui de votre connexion ici. Les API qui conservent les clés publiées lui font encore confiance jusqu’à une heure : redémarrez-les.',
    ],
    button: ['Revoke', 'Widerrufen', 'Révoquer'],
  },
} as const satisfies Translations
