package import Foundation

/// The text of a push on the lock screen.
public struct PushContent: Equatable, Sendable {
    /// The state of the push: whether it is verified, and whether it can be answered.
    public enum Kind: Sendable {
        /// The push is verified and can be answered.
        case login
        /// The push is verified, but it has expired or was answered.
        case ended
        /// The push cannot be verified.
        case suspicious
        /// The push cannot be verified yet, for example before the first unlock.
        case postponed
    }

    /// The state of the push: whether it is verified, and whether it can be answered.
    public let kind: Kind
    /// The issuer, or the title from the app's texts.
    public let title: String
    /// The account's name; empty if no account is known.
    public private(set) var subtitle = ""
    /// The text below the title.
    ///
    /// If the push can be answered, the text is the server's message or, if there is none, the app's text; the origin
    /// of the login follows, if it is known. If the push cannot be answered, the text is the app's.
    public let body: String
    /// The credential's id, by which the system groups the credential's notifications; `nil` if the push is not stored.
    public private(set) var threadId: String?
    /// The message id, which all repetitions of a push share; `nil` if the push is not stored, or if the id is longer
    /// than the 64 bytes that APNs allows.
    public private(set) var collapseId: String?
    /// The number on the app's icon; `nil` leaves it unchanged.
    public private(set) var badge: Int?
    /// The category that determines the buttons; `nil` means no buttons.
    public private(set) var category: PushCategory?

    /// Creates the text for a push from its kind alone, without data from the push.
    package init(_ kind: Kind, _ texts: PushTexts) {
        self.kind = kind
        title = texts[kind].title
        body = texts[kind].body
    }

    /// Creates the text for a stored push.
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

/// The app's own texts for pushes on the lock screen.
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
        ///   - body: The text below the title.
        public init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }

    /// The text for a login that can be answered.
    ///
    /// The title is shown only if no issuer is known, and the sentence only if the server sent no message.
    public var login: Text
    /// The text for a login that was answered or has expired.
    public var ended: Text
    /// The text for a push that cannot be verified.
    public var suspicious: Text
    /// The text for a push that cannot be verified yet, for example before the first unlock.
    public var postponed: Text

    /// Creates the texts in a language; each text can be replaced.
    /// - Parameter language: The language; by default, the app's language.
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
    /// The address and the place from which the login was requested, if they are known.
    ///
    /// The browser's name is left out, because the browser can send any text as its name.
    fileprivate var origin: String? {
        let place = location.map { "\(Self.rounded($0.latitude)), \(Self.rounded($0.longitude))" }
        return [remoteAddress, place].compactMap(\.self).joined(separator: " · ").nonEmpty
    }

    /// Returns degrees rounded to two decimals: a precision of about a kilometre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}

extension CredentialStore {
    /// Verifies and stores a push, and returns its text for the lock screen.
    ///
    /// Calls `measure` with the milestone of the push's arrival, unless the push was already stored.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func content(
        of push: Swift.Result<UnverifiedPush, PushReceptionError>,
        _ texts: PushTexts,
        at now: Date,
        measure: (PushMilestone) -> Void = { _ in }
    ) throws -> PushContent {
        var arrival = PushArrival { try receive(try push.get(), id: UUID().uuidString, receivedAt: now) }
        if case .refused(let reason) = arrival, try read({ try $0.count(of: .push, where: .all) == 0 }) {
            // Without a credential, no push can be verified. The push counts as postponed, because an updated app may
            // not have migrated its credentials yet.
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
