/// The category of a banner, which decides about its buttons; servers before 7.3 know only the first.
public enum PushCategory: String, CaseIterable, Sendable {
    /// A tap approves.
    case tap = "authentication"
    /// The number that the login page shows approves.
    case challenge = "authentication_challenge"
    /// Biometric authentication, for which the app opens, approves.
    case biometric = "authentication_biometric"

    /// The category of a type of push.
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
        /// Approves, of a biometric push after the app opened.
        case approve = "pushbridge.approve"
        /// Denies.
        case deny = "pushbridge.deny"
        /// Approves with a number that the user types.
        case enterNumber = "pushbridge.number"
    }

    /// The effect of the button.
    public let kind: Kind
    /// The title.
    public let title: String
    /// Whether the device has to be unlocked.
    public let requiresUnlock: Bool
    /// Whether it opens the app.
    public let opensApp: Bool

    /// The action's identifier.
    public var id: String { kind.rawValue }
    /// Whether it is shown as one that cannot be undone.
    public var isDestructive: Bool { kind == .deny }
    /// Whether the user types something.
    public var takesText: Bool { kind == .enterNumber }
}

/// The buttons of banners, the same for both APIs.
///
/// A challenge is never approved by one tap, in any category that its server names: the verified push decides what a
/// response means, and what cannot be done from a banner opens the app.
public struct PushActions: Equatable, Sendable {
    /// The titles of the buttons, in the user's language.
    public struct Titles: Equatable, Sendable {
        /// Of the button that approves.
        public var approve: String
        /// Of the button that denies.
        public var deny: String
        /// Of the button that asks for a number.
        public var enterNumber: String
        /// Of the button that sends the number.
        public var send: String
        /// The placeholder of the field for the number.
        public var placeholder: String

        /// Sets all titles: those that are given, and otherwise those of a language.
        /// - Parameters:
        ///   - language: The language; by default the app's.
        ///   - approve: Of the button that approves.
        ///   - deny: Of the button that denies.
        ///   - enterNumber: Of the button that asks for a number.
        ///   - send: Of the button that sends the number.
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

    /// Creates the buttons.
    /// - Parameter titles: The titles, in the app's language.
    public init(titles: Titles = Titles()) {
        self.titles = titles
    }

    /// The buttons of a category, in their order.
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
    /// The identifier of dismissing a banner.
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    /// Whether an action is not one of the app's own.
    package static func knows(_ actionId: String) -> Bool {
        actionId == defaultAction || actionId == dismissAction || PushAction.Kind(rawValue: actionId) != nil
    }
}

extension PushNotification {
    /// The answer that a button gives; `nil` if that takes the app: approving a biometric push, and a challenge without
    /// one of the numbers that it shows.
    func answer(by kind: PushAction.Kind, text: String?) -> PushAnswer? {
        switch kind {
        case .deny: .deny
        case .approve: pushType == .default ? .approve : nil
        case .enterNumber: number(typed: text ?? "").map { .approveChallenge(String($0)) }
        }
    }

    /// The number that was typed, in the digits of any script; `nil` if the push does not show it.
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
