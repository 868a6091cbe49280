import FRAuthenticator
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// Lets a test use the app as a user does.
///
/// The other files in this folder, except `UIKitStandIns.swift`, are call sites of the legacy SDK.
@MainActor public final class OldApp {
    private let delegate = AppDelegate()
    private let list = AccountListViewController()

    /// Makes the app.
    public init() {}

    /// Starts the app as the system does; returns whether there is a client.
    public func launch(token: Data) -> Bool {
        let isStarted = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
        delegate.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token)
        return isStarted
    }

    /// Scans a code; reports whether a mechanism was created.
    public func scan(_ text: String, then: @escaping @Sendable (Bool) -> Void) {
        list.scanned(text) { then($0 != nil) }
    }

    /// Returns the rows of the account list.
    public func rows() -> [String] {
        list.viewWillAppear(false)
        return list.rows()
    }

    /// Renames the first account of the list.
    public func renameFirst(to name: String) throws { try list.rename(list.accounts[0], to: name) }

    /// Removes the first account of the list.
    public func removeFirst() { list.remove(at: 0) }

    /// Delivers a push, answers it, and calls `then` with the text on the screen.
    public func answer(
        _ payload: [AnyHashable: Any],
        approve: Bool,
        then: @escaping @Sendable (String) -> Void
    ) {
        delegate.application(.shared, didReceiveRemoteNotification: payload) { _ in }
        guard let screen = delegate.notificationScreen else { return then("not delivered") }
        delegate.notificationScreen = nil
        screen.onFinish = { then($0) }
        if approve { screen.approve() } else { screen.deny() }
    }
}

/// Lets a test use the plugin as the code of an app in another language does.
public final class OldPlugin {
    private let wrapper = PluginWrapper()
    private let storage = PluginStorage()

    /// Starts the plugin on its own storage.
    public init() throws { try wrapper.start(storage: storage) }

    /// All accounts as JSON.
    public var accounts: [String] { wrapper.accounts() }
    /// Whether the plugin's storage is empty.
    public var isStorageEmpty: Bool { storage.isEmpty() }

    /// Creates a mechanism, and calls `result` with the mechanism's JSON or the error's name.
    public func create(_ uri: String, result: @escaping (String) -> Void) {
        wrapper.createMechanism(uri) { outcome in
            switch outcome {
            case .success(let json): result(json)
            case .failure(let error): result(PluginWrapper.errorCodes[(error as NSError).code] ?? "ERROR")
            }
        }
    }

    /// Returns a one-time password of the account's first TOTP or HOTP mechanism, as JSON.
    public func code(_ json: String) -> String? { wrapper.code(json: json) }
    /// Stores an account from JSON.
    public func update(_ json: String) -> Bool { wrapper.updateAccount(json: json) }
}
