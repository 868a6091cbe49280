public import Foundation

/// A language that the banners' texts and buttons are written in.
///
/// An app in other languages sets its own `PushActions.Titles` and `PushTexts`. The texts are in the code: an extension
/// finds them without a resource bundle, which each of an app's targets would carry.
public enum PushLanguage: String, CaseIterable, Sendable {
    /// English, for everybody whose language is not here.
    case english = "en"
    /// German.
    case german = "de"
    /// French.
    case french = "fr"
    /// Spanish.
    case spanish = "es"

    /// The language that the system chose for this app or extension among those its bundle has; English if that is
    /// another one.
    public static var preferred: PushLanguage { PushLanguage(of: .main) }

    /// The language that the system chose among those of a bundle; English if that is another one.
    /// - Parameter bundle: The bundle, as the app's main one.
    public init(of bundle: Bundle) {
        self = bundle.preferredLocalizations.first.flatMap(PushLanguage.init(identifier:)) ?? .english
    }

    /// The language of an identifier such as `de-AT`; `nil` if there are no texts in it.
    /// - Parameter identifier: A BCP 47 identifier; its region does not matter.
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
            ("Approuver", "Refuser", "Saisir le nombre", "Approuver", "Nombre de la page de connexion")
        case .spanish:
            ("Aprobar", "Rechazar", "Introducir el número", "Aprobar", "Número de la página de acceso")
        }
    }

    /// The text of a banner where its server's own words are missing or cannot be trusted.
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
    /// The texts of a language, pairs of title and sentence; a login and one that has ended have the same title.
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
