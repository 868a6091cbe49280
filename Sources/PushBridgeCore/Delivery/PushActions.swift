/// The category of a banner, which determines the banner's buttons.
///
/// Servers before AM 7.2 send no category. AM 7.2, and the authentication modules of later versions, send only ``tap``.
public enum PushCategory: String, CaseIterable, Sendable {
    /// A tap on the button approves.
    case tap = "authentication"
    /// The user approves with the number that the login page shows.
    case challenge = "authentication_challenge"
    /// The user approves in the app, with biometric authentication.
    case biometric = "authentication_biometric"

    /// Creates the category for a type of push.
    /// - Parameter type: The type of the push.
    public init(_ type: PushType) {
        switch type {
        case .default: self = .tap
        case .challenge: self = .challenge
        case .biometric: self = .biometric
        }
    }
}

/// A button of a banner.
public struct PushAction: Equatable, Sendable {
    /// The effect of a button; the raw value is the action's identifier.
    public enum Kind: String, CaseIterable, Sendable {
        /// Approves a push of the type `default`; the app has to show any other push.
        case approve = "pushbridge.approve"
        /// Denies the push.
        case deny = "pushbridge.deny"
        /// Approves with the number that the user types.
        case enterNumber = "pushbridge.number"
    }

    /// The effect of the button.
    public let kind: Kind
    /// The button's title.
    public let title: String
    /// Whether the button works only on an unlocked device.
    public let requiresUnlock: Bool
    /// Whether the button opens the app.
    public let opensApp: Bool

    /// The identifier of the action.
    public var id: String { kind.rawValue }
    /// Whether the system shows the button as destructive.
    public var isDestructive: Bool { kind == .deny }
    /// Whether the user types text.
    public var takesText: Bool { kind == .enterNumber }
}

/// The buttons of banners, the same for both APIs.
///
/// A single tap never approves a challenge, whichever category the server sends. The verified push determines
/// the meaning of the user's response. If an answer cannot be sent from the banner, the app has to show the push.
public struct PushActions: Equatable, Sendable {
    /// The titles of the buttons in one language.
    public struct Titles: Equatable, Sendable {
        /// The title of the button that approves.
        public var approve: String
        /// The title of the button that denies.
        public var deny: String
        /// The title of the button that asks for a number.
        public var enterNumber: String
        /// The title of the button that sends the number.
        public var send: String
        /// The placeholder of the field for the number.
        public var placeholder: String

        /// Creates titles; the language determines each title that is not passed.
        /// - Parameters:
        ///   - language: The language; by default, the app's language.
        ///   - approve: The title of the button that approves.
        ///   - deny: The title of the button that denies.
        ///   - enterNumber: The title of the button that asks for a number.
        ///   - send: The title of the button that sends the number.
        ///   - placeholder: The placeholder of the field for the number.
        public init(
            _ language: PushLanguage = .preferred,
            approve: String? = nil,
            deny: String? = nil,
            enterNumber: String? = nil,
            send: String? = nil,
            placeholder: String? = nil
        ) {
            let standard = language.titles
            self.approve = approve ?? standard.approve
            self.deny = deny ?? standard.deny
            self.enterNumber = enterNumber ?? standard.enterNumber
            self.send = send ?? standard.send
            self.placeholder = placeholder ?? standard.placeholder
        }
    }

    /// The titles of the buttons.
    public let titles: Titles

    /// Creates the buttons of all categories.
    /// - Parameter titles: The titles, in the app's language.
    public init(titles: Titles = Titles()) {
        self.titles = titles
    }

    /// Returns the buttons of a category, in the order in which they are shown.
    /// - Parameter category: The category.
    /// - Returns: The buttons.
    public func actions(of category: PushCategory) -> [PushAction] {
        let deny = action(.deny, titles.deny)
        return switch category {
        case .tap: [action(.approve, titles.approve), deny]
        case .challenge: [action(.enterNumber, titles.enterNumber), deny]
        case .biometric: [action(.approve, titles.approve, opensApp: true), deny]
        }
    }

    private func action(_ kind: PushAction.Kind, _ title: String, opensApp: Bool = false) -> PushAction {
        PushAction(kind: kind, title: title, requiresUnlock: kind != .deny, opensApp: opensApp)
    }
}

extension PushActions {
    /// The identifier of a tap on the banner itself.
    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The identifier of the dismissal of a banner.
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    /// Returns whether an action is one of PushBridge's buttons, a tap on the banner, or the dismissal of the
    /// banner.
    package static func contains(_ actionId: String) -> Bool {
        actionId == defaultAction || actionId == dismissAction || PushAction.Kind(rawValue: actionId) != nil
    }
}

extension PushNotification {
    /// Returns the answer that a button sends; `nil` if the app has to show the push instead.
    ///
    /// A tap approves only a push of type `default`. A typed number approves only a challenge that contains the number.
    func answer(by kind: PushAction.Kind, text: String?) -> PushAnswer? {
        switch kind {
        case .deny: .deny
        case .approve: pushType == .default ? .approve : nil
        case .enterNumber: number(typed: text ?? "").map { .approveChallenge(String($0)) }
        }
    }

    /// Returns the number that the user typed, in digits of any script; `nil` if it is none of the push's numbers.
    fileprivate func number(typed text: String) -> Int? {
        guard pushType == .challenge else { return nil }
        let digits = text.filter { !$0.isWhitespace }.map(\.wholeNumberValue)
        guard (1...9).contains(digits.count), digits.allSatisfy({ $0.map((0...9).contains) ?? false }) else {
            return nil
        }
        let number = digits.reduce(0) { $0 * 10 + ($1 ?? 0) }
        return numbers.contains(number) ? number : nil
    }
}
