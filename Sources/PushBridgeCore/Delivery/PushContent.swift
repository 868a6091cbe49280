package import Foundation

/// The text of a push on the lock screen.
public struct PushContent: Equatable, Sendable {
    /// The known details of the push.
    public enum Kind: Sendable {
        /// It is verified and can be answered.
        case login
        /// It is verified; the server waits no longer, or the user answered.
        case ended
        /// It cannot be verified.
        case suspicious
        /// It will be verified later.
        case postponed
    }

    /// The known details of the push.
    public let kind: Kind
    /// The issuer, or what the app's texts say.
    public let title: String
    /// The account's name.
    public private(set) var subtitle = ""
    /// The server's message and where the login came from, or what the app's texts say.
    public let body: String
    /// The id that groups notifications: the credential's.
    public private(set) var threadId: String?
    /// The id that repeated messages share, at most 64 bytes as APNs requires.
    public private(set) var collapseId: String?
    /// The number on the app's icon; `nil` leaves it unchanged.
    public private(set) var badge: Int?
    /// The category that determines the buttons; `nil` means no buttons.
    public private(set) var category: PushCategory?

    /// The text for a push if only its kind is known.
    package init(_ kind: Kind, _ texts: PushTexts) {
        self.kind = kind
        title = texts[kind].title
        body = texts[kind].body
    }

    /// The text for a stored push.
    package init(
        _ push: PushNotification,
        of account: AccountProfile?,
        badge: Int,
        _ texts: PushTexts,
        at now: Date
    ) {
        let isOpen = push.isAnswerable(at: now)
        kind = isOpen ? .login : .ended
        let standard = texts[kind]
        title = account.map { $0.customDisplayIssuer ?? $0.issuer }.flatMap(\.nonEmpty) ?? standard.title
        subtitle = account.map { $0.customDisplayAccountName ?? $0.accountName } ?? ""
        let lines = [push.messageText?.nonEmpty ?? standard.body, push.context.origin]
        body = isOpen ? lines.compactMap { $0 }.joined(separator: "\n") : standard.body
        threadId = push.credentialId
        collapseId = push.messageId.utf8.count <= 64 ? push.messageId : nil
        category = isOpen ? PushCategory(push.pushType) : nil
        self.badge = badge
    }
}

/// The text of a push on the lock screen where its server's own words are missing or cannot be trusted.
public struct PushTexts: Equatable, Sendable {
    /// A title and a sentence.
    public struct Text: Equatable, Sendable {
        /// The title.
        public var title: String
        /// The sentence.
        public var body: String

        /// Creates a text.
        /// - Parameters:
        ///   - title: The first line of the banner.
        ///   - body: The text below it.
        public init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }

    /// Of a login whose server sent no message, or whose account has no issuer.
    public var login: Text
    /// Of a login that was answered, or that the server waits for no longer.
    public var ended: Text
    /// Of a push that cannot be verified.
    public var suspicious: Text
    /// Of a push that cannot be verified yet, as before the first unlock.
    public var postponed: Text

    /// Creates the texts of a language; each can be replaced.
    /// - Parameter language: The language; by default the app's.
    public init(_ language: PushLanguage = .preferred) {
        self = language.texts
    }

    init(login: Text, ended: Text, suspicious: Text, postponed: Text) {
        self.login = login
        self.ended = ended
        self.suspicious = suspicious
        self.postponed = postponed
    }

    fileprivate subscript(kind: PushContent.Kind) -> Text {
        switch kind {
        case .login: login
        case .ended: ended
        case .suspicious: suspicious
        case .postponed: postponed
        }
    }
}

extension PushContext {
    /// Where the login came from: the address and the place, as far as they are known.
    ///
    /// Without the browser's name, which is free text that the browser sends.
    fileprivate var origin: String? {
        let place = location.map { "\(Self.rounded($0.latitude)), \(Self.rounded($0.longitude))" }
        return [remoteAddress, place].compactMap(\.self).joined(separator: " · ").nonEmpty
    }

    /// Degrees with two digits after the point, about a kilometre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}

extension CredentialStore {
    /// Verifies and stores a push, and returns its text for the lock screen; `measure` receives its arrival.
    ///
    /// - Throws: The store's error if it cannot be read.
    package func content(
        of push: Swift.Result<UnverifiedPush, PushReceptionError>,
        _ texts: PushTexts,
        at now: Date,
        measure: (PushMilestone) -> Void = { _ in }
    ) throws -> PushContent {
        var arrival = PushArrival { try receive(try push.get(), id: UUID().uuidString, receivedAt: now) }
        if case .refused(let reason) = arrival, try read({ try $0.count(of: .push, where: .all) == 0 }) {
            // Without any credential nothing can be verified: an app that was updated has not migrated them yet.
            arrival = .postponed(reason: reason)
        }
        PushMilestone(arrival).map(measure)
        switch arrival {
        case .refused: return PushContent(.suspicious, texts)
        case .postponed: return PushContent(.postponed, texts)
        case .stored(let notification, _):
            return try read { view in
                PushContent(
                    notification,
                    of: try view.pushCredential(id: notification.credentialId)?.account,
                    badge: try view.badge(at: now),
                    texts,
                    at: now
                )
            }
        }
    }
}
