public import Foundation

/// A language of the texts and buttons of banners.
///
/// For other languages, an app sets its own `PushActions.Titles` and `PushTexts`. The texts are in the code,
/// so that an app and its extensions need no resource bundle.
public enum PushLanguage: String, CaseIterable, Sendable {
    /// English, which is also used if there are no texts in the app's language.
    case english = "en"
    /// German.
    case german = "de"
    /// French.
    case french = "fr"
    /// Spanish.
    case spanish = "es"

    /// The language that the system chose for this app or extension from the languages in its bundle; English
    /// if there are no texts in that language.
    public static var preferred: PushLanguage { PushLanguage(of: .main) }

    /// Creates the language that the system chose from the languages of a bundle; English if there are no
    /// texts in that language.
    /// - Parameter bundle: The bundle, for example `Bundle.main`.
    public init(of bundle: Bundle) {
        self = bundle.preferredLocalizations.first.flatMap(PushLanguage.init(identifier:)) ?? .english
    }

    /// Creates the language of an identifier such as `de-AT`; `nil` if there are no texts in that language.
    /// - Parameter identifier: A BCP 47 identifier; its region is ignored.
    public init?(identifier: String) {
        let language = identifier.lowercased().prefix { $0 != "-" && $0 != "_" }
        self.init(rawValue: String(language))
    }
}

extension PushLanguage {
    /// The titles of the buttons.
    var titles: (approve: String, deny: String, enterNumber: String, send: String, placeholder: String) {
        switch self {
        case .english: ("Approve", "Deny", "Enter number", "Approve", "Number on the login page")
        case .german:
            ("Bestätigen", "Ablehnen", "Zahl eingeben", "Bestätigen", "Zahl auf der Anmeldeseite")
        case .french:
            (
                "Approuver", "Refuser", "Saisir le nombre", "Approuver",
                "Nombre affiché sur la page de connexion"
            )
        case .spanish:
            (
                "Aprobar", "Rechazar", "Introducir el número", "Aprobar",
                "Número que aparece en la página de acceso"
            )
        }
    }

    /// The texts of this language for banners.
    var texts: PushTexts {
        switch self {
        case .english:
            PushTexts(
                signIn: "Sign-in request",
                question: "Do you want to sign in?",
                ended: "This request has ended.",
                suspicious: ("Unverified message", "This message could not be verified. Do not act on it."),
                postponed: ("New message", "Unlock the device and open the app to see it.")
            )
        case .german:
            PushTexts(
                signIn: "Anmeldung",
                question: "Möchten Sie sich anmelden?",
                ended: "Diese Anfrage ist beendet.",
                suspicious: (
                    "Ungeprüfte Nachricht",
                    "Diese Nachricht konnte nicht geprüft werden. Gehen Sie nicht darauf ein."
                ),
                postponed: (
                    "Neue Nachricht", "Entsperren Sie das Gerät und öffnen Sie die App, um sie zu sehen."
                )
            )
        case .french:
            PushTexts(
                signIn: "Demande de connexion",
                question: "Souhaitez-vous vous connecter\u{A0}?",
                ended: "Cette demande a pris fin.",
                suspicious: (
                    "Message non vérifié", "Ce message n’a pas pu être vérifié. N’y donnez pas suite."
                ),
                postponed: ("Nouveau message", "Déverrouillez l’appareil et ouvrez l’app pour le voir.")
            )
        case .spanish:
            PushTexts(
                signIn: "Solicitud de acceso",
                question: "¿Quiere iniciar sesión?",
                ended: "Esta solicitud ha terminado.",
                suspicious: (
                    "Mensaje sin verificar", "No se ha podido verificar este mensaje. No haga lo que pide."
                ),
                postponed: ("Mensaje nuevo", "Desbloquee el dispositivo y abra la app para verlo.")
            )
        }
    }
}

extension PushTexts {
    /// Creates the texts of a language; each text has a title and a sentence.
    ///
    /// A pending login and a login that has ended have the same title.
    fileprivate init(
        signIn: String,
        question: String,
        ended: String,
        suspicious: (String, String),
        postponed: (String, String)
    ) {
        self.init(
            login: Text(title: signIn, body: question),
            ended: Text(title: signIn, body: ended),
            suspicious: Text(title: suspicious.0, body: suspicious.1),
            postponed: Text(title: postponed.0, body: postponed.1)
        )
    }
}
