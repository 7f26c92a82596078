/** The German texts of passkeys, codes and the ways to sign in, in the polite form. */

import type { Message } from '../message.js'
import type { factorsEn } from './en.js'

export const factorsDe = {
  // The second step of a sign-in, and the ways to sign in
  'step.account': 'Konto: {username}',
  'step.none':
    'Keiner Ihrer Passkeys funktioniert hier noch, und Sie haben keine Wiederherstellungscodes mehr. Bitte wenden Sie sich an den Anbieter.',
  'passkey.sign_in': 'Mit Passkey anmelden',
  'passkey.use': 'Passkey verwenden',
  'passkey.create': 'Passkey erstellen',
  'passkey.explained':
    'Ihr Gerät bittet Sie, mit Fingerabdruck, Gesicht oder PIN zu bestätigen. Diese verlassen Ihr Gerät nie.',
  'passkey.cancelled': 'Es wurde kein Passkey verwendet. Sie können es noch einmal versuchen.',
  'passkey.not_created': 'Es wurde kein Passkey erstellt. Sie können es noch einmal versuchen.',
  'passkey.exists': 'Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.',
  'passkey.unsupported': 'Dieser Browser oder dieses Gerät kann hier keine Passkeys verwenden.',
  'sign_in.passkey_alone': 'Für diese Anmeldung brauchen Sie einen Browser mit JavaScript und Passkeys.',
  'passkey.no_script': 'Passkeys brauchen JavaScript. Es ist in diesem Browser ausgeschaltet.',
  'passkey.refused':
    'Dieser Passkey konnte nicht verwendet werden. Falls Sie ihn aus Ihrem Konto entfernt haben, nehmen Sie einen anderen oder melden Sie sich anders an.',
  'passkey.not_accepted':
    'Dieser Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal oder mit einem anderen Gerät.',
  'passkey.name': 'Passkey',
  'totp.code': 'Code aus Ihrer Authentifizierungs-App',
  'totp.submit': 'Bestätigen',
  'totp.wrong': 'Dieser Code stimmt nicht. Geben Sie den Code ein, den Ihre App jetzt anzeigt.',
  'totp.reused': 'Dieser Code wurde bereits verwendet. Warten Sie auf den nächsten in Ihrer App.',
  'totp.title': 'Authentifizierungs-App hinzufügen',
  'totp.scan': 'Scannen Sie dieses Bild mit einer Authentifizierungs-App auf Ihrem Telefon.',
  'totp.picture': 'QR-Code für Ihre Authentifizierungs-App',
  'totp.by_hand': 'Oder geben Sie diesen Schlüssel in der App ein:',
  'totp.then': 'Geben Sie dann den Code ein, den die App anzeigt.',
  'totp.expired': 'Die Seite war zu lange offen. Scannen Sie das neue Bild.',
  'totp.name': 'Authentifizierungs-App',
  'recovery.use': 'Wiederherstellungscode verwenden',
  'recovery.code': 'Wiederherstellungscode',
  'recovery.hint': 'Einer der Codes, die Sie gespeichert haben. Er gilt einmal.',
  'recovery.wrong': 'Das ist keiner Ihrer Wiederherstellungscodes, oder er wurde schon verwendet.',
  'recovery.title': 'Speichern Sie Ihre Wiederherstellungscodes',
  'recovery.meaning':
    'Wenn Sie Ihr Gerät verlieren, kommen Sie mit einem dieser Codes statt mit Ihrem Passkey oder Ihrer App in Ihr Konto. Jeder gilt einmal. Bewahren Sie sie so auf, dass Sie sie ohne Ihr Telefon finden.',
  'recovery.once': 'Sie werden nur jetzt angezeigt.',
  'recovery.download': 'Als Datei herunterladen',
  'recovery.print': 'Drucken',
  'recovery.printed': 'Wiederherstellungscodes für das Konto {username}, {day}',
  'recovery.saved': 'Ich habe sie gespeichert',
  'recovery.file': 'Wiederherstellungscodes für {provider}, Konto {username}',
  'ticket.title': 'Zurück in Ihr Konto',
  'ticket.effect':
    'Mit der Schaltfläche wird Ihr Konto überall abgemeldet, und alle Anwendungen verlieren den Zugriff darauf.',
  'ticket.then':
    'Dann wählen Sie, wie Sie sich künftig anmelden. Der Link funktioniert einmal: Halten Sie Ihr neues Gerät oder Passwort bereit.',
  'ticket.submit': 'Weiter',
  'ticket.bad': 'Dieser Link funktioniert nicht',
  'ticket.bad_why':
    'Vielleicht wurde er schon benutzt, er ist abgelaufen, oder Ihr Konto hat sich seitdem geändert.',
  'ticket.bad_advice': 'Bitten Sie Ihren Administrator um einen neuen Link.',
  'regain.decide': 'Was haben Sie noch?',
  'regain.decide_hint':
    'Entscheiden Sie für jeden Eintrag. Entfernen Sie, was verloren ist und was Sie nicht kennen.',
  'regain.keep': 'Behalten',
  'regain.remove': 'Entfernen',
  'regain.undecided': 'Wählen Sie für jeden Eintrag „Behalten“ oder „Entfernen“.',
  'regain.choose': 'Wie melden Sie sich künftig an?',
  'regain.missing_way': 'Wählen Sie mindestens einen Weg, um fortzufahren.',
  'regain.missing_factor':
    'Ihr Konto braucht eine zweite Möglichkeit, um zu bestätigen, dass Sie es sind. Wählen Sie eine, um fortzufahren.',
  'regain.first_password': 'Passwort festlegen',
  'regain.new_password': 'Neues Passwort festlegen',
  'regain.set_password': 'Passwort speichern',
  'regain.password_set': 'Ihr Passwort ist gespeichert.',
  'regain.added': 'Ihre neue Anmeldemöglichkeit ist hinzugefügt.',
  'regain.finish': 'Weiter',
  'regain.done': 'Ihr Konto gehört wieder Ihnen. Melden Sie sich künftig mit dem an, was Sie gewählt haben.',
  'enrol.title': 'Sichern Sie Ihr Konto besser ab',
  'enrol.needed':
    'Ihr Konto braucht einen zweiten Weg, mit dem Sie sich ausweisen. Wählen Sie einen, um fortzufahren.',
  'enrol.needed_by':
    '{application} verlangt einen zweiten Weg, mit dem Sie sich ausweisen. Wählen Sie einen, um fortzufahren.',
  'enrol.invited':
    'Ihr Konto braucht einen zweiten Weg, mit dem Sie sich ausweisen. Bitten Sie die Person, die Ihr Konto verwaltet, um einen Link: Damit können Sie einen hinzufügen.',
  'enrol.invited_by':
    '{application} verlangt einen zweiten Weg, mit dem Sie sich ausweisen. Bitten Sie die Person, die Ihr Konto verwaltet, um einen Link: Damit können Sie einen hinzufügen.',
  'enrol.passkey': 'Passkey erstellen',
  'enrol.passkey_hint':
    'Sie bestätigen mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts. Sie tippen nichts ein.',
  'enrol.totp': 'Authentifizierungs-App hinzufügen',
  'enrol.totp_hint': 'Eine App auf Ihrem Telefon zeigt einen Code, den Sie beim Anmelden eingeben.',
  'enrol.other': 'Einen anderen Weg wählen',
  'offer.title': 'Beim nächsten Mal schneller anmelden',
  'offer.explained':
    'Erstellen Sie einen Passkey, und melden Sie sich mit Fingerabdruck, Gesicht oder PIN dieses Geräts statt mit Ihrem Passwort an. Diese verlassen Ihr Gerät nie.',
  'offer.later': 'Jetzt nicht',
  'offer.never': 'Auf diesem Gerät nicht fragen',

  // The page that asks for a proof, and what the account page reports
  'confirm.before_change': 'Bevor Ihr Konto geändert wird: Bestätigen Sie, dass Sie {username} sind.',
  'confirm.submit': 'Bestätigen',
  'confirm.sign_in_again': 'Melden Sie sich dafür ab und wieder an.',
  'notice.confirmed': 'Danke. Sie können Ihr Passwort jetzt ändern.',
  'notice.password_set':
    'Ihr Passwort ist eingerichtet. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
  'notice.password_removed': 'Ihr Passwort ist entfernt. Sie melden sich von jetzt an mit Ihren Passkeys an.',
  'notice.factor_added': 'Hinzugefügt. Ab der nächsten Anmeldung können Sie es verwenden.',
  'notice.factor_removed': 'Entfernt. Damit kann man sich nicht mehr anmelden.',
  'notice.factor_renamed': 'Der Name ist geändert.',
  'notice.factor_gone': 'Das war bereits entfernt.',
  'notice.too_many_factors': 'Ihr Konto hat zu viele davon. Entfernen Sie zuerst einen Eintrag.',
  'notice.second_step_on': 'Ab jetzt verlangt die Anmeldung mit Ihrem Passwort einen zweiten Schritt.',
  'notice.second_step_off': 'Die Anmeldung mit Ihrem Passwort verlangt keinen zweiten Schritt mehr.',

  // The ways to sign in, on the account page
  'ways.title': 'Anmeldewege',
  'ways.password_alone':
    'Sie melden sich nur mit Ihrem Passwort an. Fügen Sie einen zweiten Weg hinzu, damit ein gestohlenes Passwort nicht genügt.',
  'ways.invited':
    'Sie melden sich nur mit Ihrem Passwort an. Um einen zweiten Weg hinzuzufügen, bitten Sie die Person, die Ihr Konto verwaltet, um einen Link.',
  'ways.none': 'Für Ihr Konto gibt es noch keinen weiteren Anmeldeweg.',
  'ways.back_codes': {
    one: 'Wenn Sie dieses Gerät verlieren: Mit einem Wiederherstellungscode kommen Sie wieder hinein (noch 1).',
    other:
      'Wenn Sie dieses Gerät verlieren: Mit einem Wiederherstellungscode kommen Sie wieder hinein (noch {count}).',
  },
  'ways.back_codes_other': {
    one: 'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten oder einem Wiederherstellungscode kommen Sie wieder hinein (noch 1).',
    other:
      'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten oder einem Wiederherstellungscode kommen Sie wieder hinein (noch {count}).',
  },
  'ways.back_other':
    'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten kommen Sie wieder hinein. Sie haben keine Wiederherstellungscodes mehr: Holen Sie sich neue.',
  'ways.back_none':
    'Wenn Sie dieses Gerät verlieren, kommen Sie nicht wieder hinein: Sie haben keine Wiederherstellungscodes mehr. Holen Sie sich neue, oder fügen Sie einen weiteren Weg hinzu.',
  'ways.back_passkeys':
    'Wenn Sie ein Gerät verlieren: Mit einem anderen Passkey kommen Sie wieder hinein. Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort.',
  'ways.back_one_passkey':
    'Wenn Sie dieses Gerät verlieren, kommen Sie nicht wieder hinein: Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort. Fügen Sie einen weiteren Passkey hinzu.',
  'ways.codes': 'Wiederherstellungscodes',
  'ways.codes_hint': 'Jeder Code gilt einmal, anstelle Ihres Passkeys oder Ihrer App.',
  'ways.new_codes': 'Neue Codes holen',
  'password.set': 'Ein Passwort einrichten',
  'password.remove': 'Ihr Passwort entfernen',
  'password.removal':
    'Danach melden Sie sich nur noch mit Ihren Passkeys an. Ein Passwort, das es nicht gibt, kann niemand erraten oder stehlen.',
  'password.needs_passkeys':
    'Ohne Passwort brauchen Sie zwei Passkeys. Fügen Sie zuerst einen weiteren hinzu, und entfernen Sie dann das Passwort.',
  'ways.last_way_in':
    'Das ist der einzige Weg in Ihr Konto. Fügen Sie zuerst einen anderen hinzu, und entfernen Sie dann diesen.',
  'ways.last_factor':
    'Ihr Konto braucht einen zweiten Faktor. Fügen Sie zuerst einen anderen hinzu, und entfernen Sie dann diesen.',
  'ways.bad_name': 'Geben Sie einen Namen mit 1 bis {max} Zeichen an.',
  'ways.second_step': 'Zweiter Schritt',
  'ways.second_step_on': 'Immer einen zweiten Schritt verlangen',
  'ways.second_step_off': 'Keinen zweiten Schritt verlangen',
  'ways.second_step_is_on': 'Die Anmeldung mit Ihrem Passwort verlangt einen zweiten Schritt.',
  'ways.second_step_is_off': 'Die Anmeldung mit Ihrem Passwort verlangt keinen zweiten Schritt.',
  'factor.passkey': 'Passkey',
  'factor.totp': 'App',
  'factor.added': 'Hinzugefügt am {day}',
  'factor.rename': 'Umbenennen',
  'factor.name': 'Name',
  'factor.save': 'Speichern',
  'factor.remove': 'Entfernen',
} as const satisfies Record<keyof typeof factorsEn, Message>
