/** The German texts of all pages, in the polite form. */

import { factorsDe } from './factors/de.js'
import { translation } from './translation.js'

export const de = translation({
  ...factorsDe,

  // The sign-in page
  'sign_in.title': 'Anmelden',
  'sign_in.for_application': 'Weiter zu {application}',
  'sign_in.for_account': 'Weiter zu Ihrem Konto',
  'sign_in.for_device': 'um ein Gerät zu verbinden',
  'sign_in.again_for_application':
    'Bestätigen Sie bitte, dass Sie es sind. Danach geht es weiter zu {application}.',
  'sign_in.stronger_for_application':
    '{application} verlangt eine sicherere Anmeldung. Melden Sie sich bitte noch einmal an.',
  'sign_in.again_for_account': 'Bestätigen Sie bitte, dass Sie es sind. Danach sehen Sie Ihr Konto.',
  'sign_in.answer_target':
    'Nach der Anmeldung, oder wenn Sie zurückgehen, werden Sie zu {host} weitergeleitet.',
  'sign_in.username': 'Benutzername',
  'sign_in.password': 'Passwort',
  'sign_in.submit': 'Anmelden',
  'sign_in.back': 'Zurück zu {application}',
  'sign_in.wrong': 'Der Benutzername oder das Passwort ist falsch.',
  'sign_in.not_confirmed':
    'Ihr Browser konnte dieses Formular nicht bestätigen. Bitte erlauben Sie Cookies für diese Website, und versuchen Sie es noch einmal.',
  'sign_in.throttled': {
    one: 'Zu viele Anmeldeversuche. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    other:
      'Zu viele Anmeldeversuche. Bitte warten Sie {count} Minuten, und versuchen Sie es dann noch einmal.',
  },
  'sign_in.busy':
    'Im Moment melden sich sehr viele Personen an. Bitte versuchen Sie es in einigen Sekunden noch einmal.',

  // Clients
  'application.quoted': '„{name}“',
  'application.of_host': '{host} ({name})',
  'application.registered_itself': 'Diese Anwendung hat sich selbst registriert.',
  'application.published_at': 'Diese Anwendung ist bei {host} beschrieben.',
  'application.make_sure': 'Vergewissern Sie sich, dass Sie sie kennen.',
  'application.any_program': 'Jedes Programm auf diesem Computer könnte in ihrem Namen fragen.',
  'application.only_if_started': 'Fahren Sie nur fort, wenn Sie dies gerade in der Anwendung begonnen haben.',
  'application.list': '{applications}, {next}',
  'application.website': 'Website',
  'application.policy': 'Datenschutzerklärung',
  'application.terms': 'Nutzungsbedingungen',
  'host.marked': '{host} ({mark})',
  'host.this_computer': 'dieser Computer',
  'host.not_encrypted': 'unverschlüsselt',

  // The consent page
  'consent.title': '{application} erlauben?',
  'consent.heading': '{application} den Zugriff auf Ihr Konto erlauben?',
  'consent.another_account': 'Konto wechseln',
  'consent.scopes': 'Die Anwendung darf dann',
  'consent.scopes_high': 'Die Anwendung bittet um sensiblen Zugriff',
  'consent.scopes_also': 'Außerdem darf sie',
  'consent.more': { one: '1 weiteres anzeigen', other: '{count} weitere anzeigen' },
  'consent.offline': 'Diesen Zugriff behalten, auch nachdem Sie sich abgemeldet haben',
  'consent.resources': 'Mit Ihrem Konto bei',
  'consent.answer_target': 'Danach werden Sie zu {host} weitergeleitet.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',

  // The pages that connect a device
  'device.title': 'Ein Gerät verbinden',
  'device.enter': 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  'device.code': 'Code',
  'device.continue': 'Weiter',
  'device.unknown':
    'Dieser Code ist nicht richtig oder nicht mehr gültig. Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  'device.expired':
    'Die Seite war zu lange geöffnet oder wurde schon beantwortet. Geben Sie den Code noch einmal ein.',
  'device.confirm_title': 'Dieses Gerät verbinden?',
  'device.compare': 'Vergleichen Sie diesen Code mit dem, den Ihr Gerät anzeigt:',
  'device.sent_by_somebody': 'Hat Ihnen jemand diesen Code geschickt?',
  'device.then_refuse': 'Dann lehnen Sie ab.',
  'device.asks': '{application} möchte Ihr Konto auf einem Gerät verwenden.',
  'device.any_program': 'Jedes Programm könnte in ihrem Namen anfragen.',
  'device.lasts': {
    one: 'Der Zugriff bleibt nach dem Abmelden bestehen, höchstens 1 Tag, bis Sie ihn auf Ihrer Kontoseite beenden.',
    other:
      'Der Zugriff bleibt nach dem Abmelden bestehen, höchstens {count} Tage, bis Sie ihn auf Ihrer Kontoseite beenden.',
  },
  'device.asked_at': 'Das Gerät hat am {time} angefragt.',
  'device.asked_from': 'Das Gerät hat am {time} von der Adresse {address} angefragt.',
  'device.other_address': 'Das ist nicht die Adresse dieses Browsers.',
  'device.allow': 'Verbinden',
  'device.refuse': 'Ablehnen',
  'device.approved_title': 'Das Gerät ist verbunden',
  'device.approved': '{application} kann Ihr Konto jetzt verwenden. Machen Sie auf Ihrem Gerät weiter.',
  'device.refused_title': 'Das Gerät ist abgelehnt',
  'device.refused': '{application} erhält keinen Zugriff.',

  // What a client may do
  'scope.none': 'Wissen, dass Sie angemeldet sind',
  'scope.high': '{scope} (sensibel)',
  'scope.openid': 'Wissen, wer Sie sind',
  'scope.profile': 'Ihren Namen und Ihr Profil sehen',
  'scope.email': 'Ihre E-Mail-Adresse sehen',
  'scope.address': 'Ihre Postanschrift sehen',
  'scope.phone': 'Ihre Telefonnummer sehen',

  // The signed-in user
  'user.signed_in_as': 'Angemeldet als {name}',

  // The sign-out pages
  'sign_out.title': 'Abmelden',
  'sign_out.heading': 'Möchten Sie sich abmelden?',
  'sign_out.asked_by': '{application} möchte Sie abmelden.',
  'sign_out.submit': 'Abmelden',
  'sign_out.stay': 'Um angemeldet zu bleiben, schließen Sie diese Seite.',
  'signed_out.title': 'Abgemeldet',
  'signed_out.heading': 'Sie sind abgemeldet',
  'signed_out.nobody': 'In diesem Browser ist niemand angemeldet',
  'signed_out.redirect_refused':
    'Die Anwendung wollte Sie zu einer Adresse weiterleiten, die nicht für sie registriert ist. Deshalb bleiben Sie hier.',
  'signed_out.close': 'Sie können diese Seite schließen.',
  'signed_out.back': 'Zurück zu {application}',
  'signed_out.kept': 'Anwendungen, denen Sie dauerhaften Zugriff erlaubt haben, können ihn behalten.',
  'signed_out.access': 'Auf Ihrer Kontoseite ansehen und beenden',
  'signed_out.again': 'Wieder anmelden',

  // The page at the root of the realm
  'landing.title': 'Willkommen',
  'landing.heading': 'Hier melden Sie sich an',
  'landing.advice':
    'Anwendungen schicken Sie zur Anmeldung hierher. Öffnen Sie die Anwendung, die Sie verwenden möchten, und melden Sie sich dort an.',
  'landing.account': 'Ihr Konto',

  // The account page
  'account.title': 'Ihr Konto',
  'account.user': 'Ihre Angaben',
  'account.username': 'Benutzername',
  'account.name': 'Name',
  'account.email': 'E-Mail-Adresse',
  'account.email_unconfirmed': '(nicht bestätigt)',
  'account.not_confirmed':
    'Ihr Browser konnte dieses Formular nicht bestätigen. Es wurde nichts geändert. Bitte erlauben Sie Cookies für diese Website, und versuchen Sie es noch einmal.',
  'account.throttled': {
    one: 'Zu viele Versuche. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    other: 'Zu viele Versuche. Bitte warten Sie {count} Minuten, und versuchen Sie es dann noch einmal.',
  },
  'account.busy':
    'Im Moment melden sich sehr viele Personen an. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  'account.changed_meanwhile':
    'Ihr Konto wurde gerade an anderer Stelle geändert. Deshalb wurde nichts gespeichert. Bitte versuchen Sie es noch einmal.',

  // What the account page reports after an action
  'notice.password':
    'Ihr Passwort ist geändert. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
  'notice.session': 'Das andere Gerät ist abgemeldet.',
  'notice.session_gone': 'Dieses Gerät war bereits abgemeldet.',
  'notice.others': 'Alle anderen Geräte sind abgemeldet.',
  'notice.withdrawn': 'Der Zugriff ist entzogen. Die Anwendung muss Sie erneut fragen.',
  'notice.withdrawn_before': 'Dieser Zugriff war bereits entzogen.',
  'notice.access_ended': 'Der Zugriff der Anwendung ist beendet.',

  // The password section of the account page
  'password.title': 'Passwort',
  'password.none': 'Ihr Konto hat kein Passwort.',
  'password.change': 'Ihr Passwort ändern',
  'password.current': 'Aktuelles Passwort',
  'password.new': 'Neues Passwort',
  'password.new_hint':
    'Mindestens {min} Zeichen. Einige Wörter lassen sich leichter merken als Sonderzeichen.',
  'password.new_again': 'Neues Passwort wiederholen',
  'password.submit': 'Passwort ändern',
  'password.effect':
    'Hier bleiben Sie angemeldet. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
  'password.wrong': 'Das ist nicht Ihr aktuelles Passwort.',
  'password.too_short': 'Das neue Passwort hat weniger als {min} Zeichen.',
  'password.too_long': 'Das neue Passwort hat mehr als {max} Zeichen.',
  'password.not_repeated': 'Das neue Passwort ist nicht in beiden Feldern gleich.',
  'password.not_new': 'Das neue Passwort ist das aktuelle. Bitte wählen Sie ein anderes.',

  // The sessions on the account page
  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.more': {
    one: 'Eine weitere Anmeldung wird nicht angezeigt.',
    other: '{count} weitere Anmeldungen werden nicht angezeigt.',
  },
  'sessions.end_others': 'Überall sonst abmelden',
  'sessions.no_others': 'Sie sind sonst nirgends angemeldet.',
  'session.current': 'Dieses Gerät',
  'session.other': 'Anderes Gerät',
  'session.browser_on': '{browser} unter {system}',
  'session.last_used': 'Zuletzt verwendet am {time}',
  'session.since': 'Angemeldet am {time}',
  'session.since_with': 'Angemeldet am {time} mit {methods}',
  'session.used_for': 'Verwendet für {applications}',
  'session.used_for_more': {
    one: 'Verwendet für {applications} und eine weitere Anwendung',
    other: 'Verwendet für {applications} und {count} weitere Anwendungen',
  },
  'session.end': 'Dort abmelden',
  'session.sign_out': 'Abmelden',

  // Authentication methods, in the dative: the end of `session.since_with`
  'amr.pwd': 'Ihrem Passwort',
  'amr.pin': 'einer PIN',
  'amr.otp': 'einem Einmalcode',
  'amr.sms': 'einem Code per SMS',
  'amr.tel': 'einem Telefonanruf',
  'amr.hwk': 'einem gerätegebundenen Passkey',
  'amr.swk': 'einem Passkey',
  'amr.sc': 'einer Chipkarte',
  'amr.fpt': 'Ihrem Fingerabdruck',
  'amr.face': 'Ihrem Gesicht',

  // The clients on the account page
  'access.title': 'Anwendungen, denen Sie den Zugriff erlaubt haben',
  'access.none': 'Sie haben keiner Anwendung den Zugriff auf Ihr Konto erlaubt.',
  'access.effect': 'Wenn Sie den Zugriff entziehen, muss die Anwendung Sie erneut fragen.',
  'access.more': {
    one: 'Eine weitere Anwendung wird angezeigt, sobald Sie einigen von diesen den Zugriff entzogen haben.',
    other:
      '{count} weitere Anwendungen werden angezeigt, sobald Sie einigen von diesen den Zugriff entzogen haben.',
  },
  'access.withdraw': 'Zugriff entziehen',
  'access.withdraw_all': 'Jeden Zugriff entziehen',
  'access.withdraw_this': 'Diesen Zugriff entziehen',
  'access.inactive': 'Diese Anwendung wird nicht mehr verwendet.',
  'access.here': 'Mit Ihrem Konto hier darf sie',
  'access.at': 'Mit Ihrem Konto bei {resource} darf sie',
  'access.offline': 'Den Zugriff behalten, auch wenn Sie die Anwendung nicht verwenden',
  'access.allowed': 'Erlaubt am {day}',
  'access.allowed_again': 'Erlaubt am {day}, zuletzt am {last}',
  'access.since': 'Hat Zugriff seit dem {day}',

  // The devices on the account page
  'devices.title': 'Geräte',
  'devices.effect': 'Entziehen beendet allen Zugriff der Anwendung, der so gegeben wurde.',
  'devices.since': 'Verbunden am {day}',

  // The page that asks for the password
  'confirm.title': 'Bestätigen Sie bitte, dass Sie es sind',
  'confirm.end_session':
    'Ihre Anmeldung hier liegt schon etwas zurück. Um das andere Gerät abzumelden, geben Sie bitte das Passwort von {username} ein.',
  'confirm.end_others':
    'Ihre Anmeldung hier liegt schon etwas zurück. Um alle anderen Geräte abzumelden, geben Sie bitte das Passwort von {username} ein.',
  'confirm.submit_end_session': 'Das andere Gerät abmelden',
  'confirm.submit_end_others': 'Alle anderen Geräte abmelden',
  'confirm.back': 'Zurück zu Ihrem Konto',

  // The error page
  'error.code': 'Code: {code}',
  'error.reference': 'Referenz: {reference}',
  'error.detail': 'Technische Angabe: {description}',
  'error.start_again': 'Bitte beginnen Sie noch einmal',
  'error.go_back': 'Gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
  'error.expired': 'Dieser Vorgang ist abgelaufen',
  'error.expired_here': 'Er hat zu lange gedauert, oder er wurde schon abgeschlossen.',
  'error.answered': 'Diese Seite wurde schon beantwortet',
  'error.answered_here':
    'Ihre Antwort ist schon an die Anwendung gesendet worden, oder die Seite war zu lange offen.',
  'error.answered_advice':
    'Gehen Sie zur Anwendung zurück. Wenn sie noch auf Sie wartet, beginnen Sie dort von vorn.',
  'error.unknown_client': 'Diese Anwendung ist hier nicht bekannt',
  'error.unknown_client_here':
    'Die Anwendung, von der Sie kommen, ist hier nicht oder nicht mehr registriert. Ihre Daten wurden nicht weitergegeben.',
  'error.unregistered_redirect_uri': 'Die Rückadresse ist nicht bekannt',
  'error.unregistered_redirect_uri_here':
    'Die Anwendung möchte Sie zu einer Adresse weiterleiten, die für sie nicht registriert ist. Ihre Daten wurden nicht weitergegeben.',
  'error.foreign_request': 'Dieser Vorgang gehört zu einer anderen Anwendung',
  'error.foreign_request_here':
    'Die Anwendung, von der Sie kommen, hat einen Vorgang geschickt, den eine andere begonnen hat. Ihre Daten wurden nicht weitergegeben.',
  'error.tell_operator': 'Bitte wenden Sie sich an den Anbieter der Anwendung.',
  'error.bad_request': 'Die Anfrage der Anwendung ist fehlerhaft.',
  'error.refused': 'Die Anfrage wurde abgelehnt.',
  'error.method': 'Diese Adresse nimmt diese Art von Anfrage nicht an.',
  'error.too_large': 'Es wurden zu viele Daten gesendet.',
  'error.not_found': 'Unter dieser Adresse gibt es nichts',
  'error.not_found_advice':
    'Prüfen Sie die Adresse, oder gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
  'error.too_many': 'Zu viele Anfragen',
  'error.too_many_from': 'Aus Ihrem Netz oder von Ihrem Browser kamen zu viele Anfragen.',
  'error.too_many_advice': 'Bitte warten Sie einige Minuten, und laden Sie diese Seite dann neu.',
  'error.unavailable': 'Zurzeit nicht verfügbar',
  'error.unavailable_here':
    'Dieser Dienst kann im Moment nicht antworten. Das hat nichts mit Ihnen oder Ihrem Konto zu tun.',
  'error.unavailable_advice':
    'Bitte warten Sie einige Sekunden, und laden Sie diese Seite dann neu. Wenn das nicht hilft, gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
  'error.server': 'Etwas ist schiefgegangen',
  'error.server_here': 'Die Anfrage ist an einem Fehler auf diesem Server gescheitert.',
  'error.server_advice': 'Bitte warten Sie einen Moment, und versuchen Sie es dann noch einmal.',

  // A form that cannot be read
  'form.wrong_type': 'Das Formular kam in einem Format an, das nicht verstanden wird.',
  'form.too_large': 'Das Formular kam mit mehr als {limit} KiB an.',
  'form.malformed': 'Das Formular kam unvollständig an.',
  'form.account_advice': 'Öffnen Sie Ihre Kontoseite, und versuchen Sie es noch einmal.',
})
