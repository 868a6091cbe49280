public import Foundation

/// A language that the banners' texts and buttons are written in.
///
/// An app in other languages gives `PushActions.Titles` and `PushTexts` of its own. The texts are in the code: an extension
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
    /// What the buttons say.
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

    /// What a banner says where its server's own words are missing or cannot be trusted.
    var texts: PushTexts {
        switch self {
        case .english:
            PushTexts(
                login: .init(title: "Sign-in request", body: "Do you want to sign in?"),
                ended: .init(title: "Sign-in request", body: "This request has ended."),
                suspicious: .init(
                    title: "Unverified message",
                    body: "This message could not be verified. Do not act on it."
                ),
                postponed: .init(title: "New message", body: "Unlock the device and open the app to see it.")
            )
        case .german:
            PushTexts(
                login: .init(title: "Anmeldung", body: "Möchten Sie sich anmelden?"),
                ended: .init(title: "Anmeldung", body: "Diese Anfrage ist beendet."),
                suspicious: .init(
                    title: "Ungeprüfte Nachricht",
                    body: "Diese Nachricht konnte nicht geprüft werden. Gehen Sie nicht darauf ein."
                ),
                postponed: .init(
                    title: "Neue Nachricht",
                    body: "Entsperren Sie das Gerät und öffnen Sie die App, um sie zu sehen."
                )
            )
        case .french:
            PushTexts(
                login: .init(
                    title: "Demande de connexion",
                    body: "Souhaitez-vous vous connecter\u{A0}?"
                ),
                ended: .init(title: "Demande de connexion", body: "Cette demande a pris fin."),
                suspicious: .init(
                    title: "Message non vérifié",
                    body: "Ce message n’a pas pu être vérifié. N’y donnez pas suite."
                ),
                postponed: .init(
                    title: "Nouveau message",
                    body: "Déverrouillez l’appareil et ouvrez l’app pour le voir."
                )
            )
        case .spanish:
            PushTexts(
                login: .init(title: "Solicitud de acceso", body: "¿Quiere iniciar sesión?"),
                ended: .init(title: "Solicitud de acceso", body: "Esta solicitud ha terminado."),
                suspicious: .init(
                    title: "Mensaje sin verificar",
                    body: "No se ha podido verificar este mensaje. No haga lo que pide."
                ),
                postponed: .init(
                    title: "Mensaje nuevo",
                    body: "Desbloquee el dispositivo y abra la app para verlo."
                )
            )
        }
    }
}
