/** The French texts of passkeys, codes and the ways to sign in. */

import type { Message } from '../message.js'
import type { factorsEn } from './en.js'

export const factorsFr = {
  // The second step of a sign-in, and the ways to sign in
  'step.account': 'Compte : {username}',
  'step.none':
    'Aucune de vos clés d’accès ne fonctionne plus ici, et vous n’avez plus de codes de secours. Veuillez contacter le fournisseur.',
  'passkey.sign_in': 'Se connecter avec une clé d’accès',
  'passkey.use': 'Utiliser une clé d’accès',
  'passkey.create': 'Créer la clé d’accès',
  'passkey.explained':
    'Votre appareil vous demandera de confirmer avec votre doigt, votre visage ou son code. Ceux-ci ne quittent jamais votre appareil.',
  'passkey.cancelled': 'Aucune clé d’accès n’a été utilisée. Vous pouvez réessayer.',
  'passkey.not_created': 'Aucune clé d’accès n’a été créée. Vous pouvez réessayer.',
  'passkey.exists': 'Il y a déjà une clé d’accès pour votre compte sur cet appareil.',
  'passkey.unsupported': 'Ce navigateur ou cet appareil ne peut pas utiliser de clé d’accès ici.',
  'sign_in.passkey_alone':
    'Pour vous connecter ici, il vous faut un navigateur avec JavaScript et des clés d’accès.',
  'passkey.no_script': 'Les clés d’accès ont besoin de JavaScript, qui est désactivé dans ce navigateur.',
  'passkey.refused':
    'Cette clé d’accès n’a pas pu être utilisée. Si vous l’avez retirée de votre compte, prenez-en une autre, ou connectez-vous autrement.',
  'passkey.not_accepted':
    'Cette clé d’accès n’a pas pu être ajoutée. Réessayez, ou prenez un autre appareil.',
  'passkey.name': 'Clé d’accès',
  'totp.code': 'Code de votre application d’authentification',
  'totp.submit': 'Confirmer',
  'totp.wrong': 'Ce code n’est pas correct. Saisissez le code que votre application affiche maintenant.',
  'totp.reused': 'Ce code a déjà été utilisé. Attendez le suivant dans votre application.',
  'totp.title': 'Ajouter une application d’authentification',
  'totp.scan': 'Scannez cette image avec une application d’authentification sur votre téléphone.',
  'totp.picture': 'Code QR pour votre application d’authentification',
  'totp.by_hand': 'Ou saisissez cette clé dans l’application :',
  'totp.then': 'Puis saisissez le code que l’application affiche.',
  'totp.expired': 'La page est restée ouverte trop longtemps. Scannez la nouvelle image.',
  'totp.name': 'Application d’authentification',
  'recovery.use': 'Utiliser un code de secours',
  'recovery.code': 'Code de secours',
  'recovery.hint': 'Un des codes que vous avez enregistrés. Il sert une seule fois.',
  'recovery.wrong': 'Ce n’est pas un de vos codes de secours, ou il a déjà servi.',
  'recovery.title': 'Enregistrez vos codes de secours',
  'recovery.meaning':
    'Si vous perdez votre appareil, un de ces codes vous fait entrer à la place de votre clé d’accès ou de votre application. Chacun sert une seule fois. Gardez-les là où vous les trouverez sans votre téléphone.',
  'recovery.once': 'Ils ne sont affichés que maintenant.',
  'recovery.download': 'Télécharger un fichier',
  'recovery.print': 'Imprimer',
  'recovery.printed': 'Codes de secours du compte {username}, {day}',
  'recovery.saved': 'Je les ai enregistrés',
  'recovery.file': 'Codes de secours pour {provider}, compte {username}',
  'ticket.title': 'Retrouver votre compte',
  'ticket.effect':
    'Avec le bouton, votre compte est déconnecté partout et toutes les applications perdent leur accès.',
  'ticket.then':
    'Ensuite, vous choisissez comment vous connecter à l’avenir. Le lien fonctionne une seule fois : ayez votre nouvel appareil ou votre nouveau mot de passe à portée de main.',
  'ticket.submit': 'Continuer',
  'ticket.bad': 'Ce lien ne fonctionne pas',
  'ticket.bad_why': 'Il a peut-être déjà été utilisé, il a expiré, ou votre compte a changé depuis.',
  'ticket.bad_advice': 'Demandez un autre lien à votre administrateur.',
  'regain.decide': 'Qu’avez-vous encore ?',
  'regain.decide_hint':
    'Décidez pour chaque élément. Supprimez ce qui est perdu et ce que vous ne connaissez pas.',
  'regain.keep': 'Garder',
  'regain.remove': 'Supprimer',
  'regain.undecided': 'Choisissez « Garder » ou « Supprimer » pour chaque élément.',
  'regain.choose': 'Comment vous connecterez-vous à l’avenir ?',
  'regain.missing_way': 'Choisissez au moins un moyen pour continuer.',
  'regain.missing_factor':
    'Votre compte a besoin d’un second moyen de confirmer que c’est vous. Choisissez-en un pour continuer.',
  'regain.first_password': 'Définir un mot de passe',
  'regain.new_password': 'Définir un nouveau mot de passe',
  'regain.set_password': 'Enregistrer le mot de passe',
  'regain.password_set': 'Votre mot de passe est enregistré.',
  'regain.added': 'Votre nouveau moyen de connexion est ajouté.',
  'regain.finish': 'Continuer',
  'regain.done':
    'Votre compte est de nouveau à vous. À l’avenir, connectez-vous avec ce que vous avez choisi.',
  'enrol.title': 'Protégez mieux votre compte',
  'enrol.needed':
    'Votre compte a besoin d’un second moyen de confirmer que c’est vous. Choisissez-en un pour continuer.',
  'enrol.needed_by':
    '{application} a besoin d’un second moyen de confirmer que c’est vous. Choisissez-en un pour continuer.',
  'enrol.invited':
    'Votre compte a besoin d’un second moyen de confirmer que c’est vous. Demandez un lien à la personne qui gère votre compte : il vous permet d’en ajouter un.',
  'enrol.invited_by':
    '{application} a besoin d’un second moyen de confirmer que c’est vous. Demandez un lien à la personne qui gère votre compte : il vous permet d’en ajouter un.',
  'enrol.passkey': 'Créer une clé d’accès',
  'enrol.passkey_hint':
    'Vous confirmez avec votre doigt, votre visage ou le code de votre appareil. Rien à saisir.',
  'enrol.totp': 'Ajouter une application d’authentification',
  'enrol.totp_hint':
    'Une application sur votre téléphone affiche un code, que vous saisissez à la connexion.',
  'enrol.other': 'Choisir un autre moyen',
  'offer.title': 'Se connecter plus vite la prochaine fois',
  'offer.explained':
    'Créez une clé d’accès, et connectez-vous avec votre doigt, votre visage ou le code de cet appareil à la place de votre mot de passe. Ceux-ci ne quittent jamais votre appareil.',
  'offer.later': 'Pas maintenant',
  'offer.never': 'Ne pas demander sur cet appareil',

  // The page that asks for a proof, and what the account page reports
  'confirm.before_change': 'Avant que votre compte soit modifié : confirmez que vous êtes {username}.',
  'confirm.submit': 'Confirmer',
  'confirm.sign_in_again': 'Pour cela, déconnectez-vous et reconnectez-vous.',
  'notice.confirmed': 'Merci. Vous pouvez maintenant changer votre mot de passe.',
  'notice.password_set':
    'Votre mot de passe est défini. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  'notice.password_removed':
    'Votre mot de passe a été supprimé. Vous vous connectez désormais avec vos clés d’accès.',
  'notice.factor_added': 'C’est ajouté. Vous pourrez l’utiliser à votre prochaine connexion.',
  'notice.factor_removed': 'C’est retiré. On ne peut plus se connecter avec.',
  'notice.factor_renamed': 'Le nom est changé.',
  'notice.factor_gone': 'C’était déjà retiré.',
  'notice.too_many_factors': 'Votre compte en a trop. Retirez-en d’abord un.',
  'notice.second_step_on': 'Désormais, la connexion par mot de passe demande une seconde étape.',
  'notice.second_step_off': 'La connexion par mot de passe ne demande plus de seconde étape.',

  // The ways to sign in, on the account page
  'ways.title': 'Moyens de connexion',
  'ways.password_alone':
    'Vous vous connectez avec votre mot de passe seul. Ajoutez un second moyen, pour qu’un mot de passe volé ne suffise pas.',
  'ways.invited':
    'Vous vous connectez avec votre mot de passe seul. Pour ajouter un second moyen, demandez un lien à la personne qui gère votre compte.',
  'ways.none': 'Il n’y a pas encore d’autre moyen de se connecter à votre compte.',
  'ways.back_codes': {
    one: 'Si vous perdez cet appareil : vous pouvez revenir avec un code de secours (il en reste 1).',
    other: 'Si vous perdez cet appareil : vous pouvez revenir avec un code de secours (il en reste {count}).',
  },
  'ways.back_codes_other': {
    one: 'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous, ou un code de secours (il en reste 1).',
    other:
      'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous, ou un code de secours (il en reste {count}).',
  },
  'ways.back_other':
    'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous. Vous n’avez plus de codes de secours : demandez-en de nouveaux.',
  'ways.back_none':
    'Si vous perdez cet appareil, vous ne pourrez pas revenir : vous n’avez plus de codes de secours. Demandez-en de nouveaux, ou ajoutez un autre moyen.',
  'ways.back_passkeys':
    'Si vous perdez un appareil\u00a0: vous pourrez revenir avec une autre clé d’accès. Les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe.',
  'ways.back_one_passkey':
    'Si vous perdez cet appareil, vous ne pourrez pas revenir\u00a0: les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe. Ajoutez une autre clé d’accès.',
  'ways.codes': 'Codes de secours',
  'ways.codes_hint':
    'Chaque code sert une seule fois, à la place de votre clé d’accès ou de votre application.',
  'ways.new_codes': 'Obtenir de nouveaux codes',
  'password.set': 'Définir un mot de passe',
  'password.remove': 'Supprimer votre mot de passe',
  'password.removal':
    'Vous vous connecterez alors uniquement avec vos clés d’accès. Un mot de passe qui n’existe pas ne peut être ni deviné ni volé.',
  'password.needs_passkeys':
    'Sans mot de passe, il vous faut deux clés d’accès. Ajoutez-en d’abord une autre, puis supprimez le mot de passe.',
  'ways.last_way_in':
    'C’est le seul moyen de se connecter à votre compte. Ajoutez-en d’abord un autre, puis retirez celui-ci.',
  'ways.last_factor':
    'Votre compte a besoin d’un second facteur. Ajoutez-en d’abord un autre, puis retirez celui-ci.',
  'ways.bad_name': 'Donnez un nom de 1 à {max} caractères.',
  'ways.second_step': 'Seconde étape',
  'ways.second_step_on': 'Toujours demander une seconde étape',
  'ways.second_step_off': 'Ne pas demander de seconde étape',
  'ways.second_step_is_on': 'La connexion par mot de passe demande une seconde étape.',
  'ways.second_step_is_off': 'La connexion par mot de passe ne demande pas de seconde étape.',
  'factor.passkey': 'Clé d’accès',
  'factor.totp': 'Application',
  'factor.added': 'Ajouté le {day}',
  'factor.rename': 'Renommer',
  'factor.name': 'Nom',
  'factor.save': 'Enregistrer',
  'factor.remove': 'Retirer',
} as const satisfies Record<keyof typeof factorsEn, Message>
