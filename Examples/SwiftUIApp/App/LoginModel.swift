import Foundation
import Observation
import PushBridgeNotifications
import UIKit
import UserNotifications

/// The state of the screens, and the actions of the user and the system.
///
/// The class is isolated to the main actor, because this is the app's default isolation.
@Observable
final class LoginModel {
    private(set) var accounts: [AccountItem] = []
    private(set) var logins: [LoginItem] = []
    /// The navigation path: the id of the opened login, or nothing while the lists are shown.
    ///
    /// A push may arrive before there is a window. The first window then shows this path.
    var path: [LoginItem.ID] = []
    /// A sentence for the user, usually about an error.
    var message: String?
    /// The registration URI that the user opened as a link, until the user accepts or rejects it.
    var offer: String?

    @ObservationIgnored private let service: Accounts
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var startedRefreshes = 0
    /// The number of the refresh whose lists are shown.
    @ObservationIgnored private var shownRefresh = 0

    init(_ service: Accounts) {
        self.service = service
    }

    deinit { following?.cancel() }

    /// Whether there is a message for the user.
    ///
    /// When the user closes the alert, SwiftUI sets this property to `false`.
    var hasMessage: Bool {
        get { message != nil }
        set { if !newValue { message = nil } }
    }

    /// Whether a link offered an account that the user has not accepted yet.
    ///
    /// When the user closes the alert, SwiftUI sets this property to `false`.
    var hasOffer: Bool {
        get { offer != nil }
        set { if !newValue { offer = nil } }
    }

    /// Returns the login with an id, or `nil` if the login is no longer pending.
    func login(_ id: LoginItem.ID) -> LoginItem? { logins.first { $0.id == id } }
}

// MARK: - The user

extension LoginModel {
    /// Adds the account of a code, and then asks for permission to show banners.
    ///
    /// At this moment, the user understands why the app needs the permission.
    func enrol(_ code: String) async {
        await report {
            try await service.enrol(code.trimmingCharacters(in: .whitespacesAndNewlines))
            await refresh()
            let center = UNUserNotificationCenter.current()
            guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else {
                message = "Logins are shown in the app only."
                return
            }
        }
    }

    /// Approves a login.
    ///
    /// If the login requires a number, `number` is the number that the user chose.
    func approve(_ login: LoginItem, number: Int? = nil) async {
        await answer { try await service.approve(login, number: number) }
    }

    /// Denies a login.
    func deny(_ login: LoginItem) async {
        await answer { try await service.deny(login) }
    }

    /// Removes an account from this phone.
    func remove(_ account: AccountItem) async {
        await report { try await service.remove(account) }
        await refresh()
    }

    private func answer(_ send: () async throws -> Void) async {
        await report {
            try await send()
            path = []
        }
        await refresh()
    }
}

// MARK: - The system

extension LoginModel {
    /// Passes the device token to the API, which sends the token only to servers that do not have it.
    func register(_ deviceToken: Data) async {
        await report { try await service.register(deviceToken) }
    }

    /// Shows the user why the phone receives no pushes.
    ///
    /// If the phone is offline, it keeps its token and the system retries, so no message is shown.
    func didFailToRegister(_ error: any Error) {
        let reason = PushRegistrationFailure(error)
        if reason != .offline { message = "This phone gets no pushes: \(reason)." }
    }

    /// Stores a silent push, and returns the result for the system.
    func backgroundResult(of userInfo: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        do {
            return try await service.backgroundResult(of: userInfo)
        } catch {
            // The store cannot be opened before the phone's first unlock. `catchUp()` processes the push later.
            return .failed
        }
    }

    /// Returns how to show a push while the app is in the foreground.
    func presentation(of notification: UNNotification) async -> UNNotificationPresentationOptions {
        do {
            return try await service.presentation(of: notification.request.content.userInfo)
        } catch {
            return .list
        }
    }

    /// Handles a tap on a banner or on one of its buttons.
    func handle(_ response: UNNotificationResponse) async {
        await report {
            switch try await service.reaction(to: response) {
            case .open(let id):
                await refresh()
                path = [id]
            case .failed(_, let reason): message = reason
            case .answered: await refresh()
            case .dismissed, .repeated: break
            case .foreign: break  // Handle pushes from other senders here.
            }
        }
    }

    /// Follows changes to the lists, processes the pushes in the notification center, and sets the badge of the app's
    /// icon.
    ///
    /// This method is called when a window becomes active.
    func catchUp() async {
        follow()
        await report {
            let center = UNUserNotificationCenter.current()
            try await service.receive(await center.deliveredNotifications())
            try await center.setBadgeCount(service.badge())
        }
        await refresh()
    }
}

// MARK: - The lists

extension LoginModel {
    /// Reads both lists again.
    func refresh() async {
        startedRefreshes += 1
        let number = startedRefreshes
        await report {
            let (accounts, logins) = (try await service.accounts(), try await service.logins())
            // If a refresh that started later has already ended, its newer lists are kept.
            guard number > shownRefresh else { return }
            shownRefresh = number
            (self.accounts, self.logins) = (accounts, logins)
        }
    }

    /// Starts a task that refreshes the lists whenever the service reports a change.
    ///
    /// A failure ends the task; the next call starts a new one.
    private func follow() {
        guard following == nil else { return }
        following = Task { [weak self, service] in
            do {
                for await _ in try await service.changes() { await self?.refresh() }
            } catch {
                self?.message = error.localizedDescription
            }
            self?.following = nil
        }
    }

    /// Runs an operation, and shows its error to the user if it fails.
    private func report(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            message = error.localizedDescription
        }
    }
}
