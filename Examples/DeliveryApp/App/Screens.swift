import Foundation
import LocalAuthentication
import PingPush
import UIKit
import UserNotifications

/// A screen that shows lines and buttons in a column.
class ColumnController: UIViewController {
    /// A button.
    struct Button {
        let title: String
        let action: @MainActor @Sendable () async -> Void

        init(_ title: String, _ action: @escaping @MainActor @Sendable () async -> Void) {
            (self.title, self.action) = (title, action)
        }
    }

    private let column = UIStackView()

    override func loadView() {
        column.axis = .vertical
        column.alignment = .center
        column.distribution = .equalSpacing
        column.spacing = 16
        column.backgroundColor = .systemBackground
        view = column
    }

    /// Replaces the shown content.
    func set(_ lines: [String?], _ buttons: [Button] = []) {
        loadViewIfNeeded()
        for view in column.arrangedSubviews { view.removeFromSuperview() }
        for line in lines.compactMap(\.self) {
            let label = UILabel()
            label.text = line
            label.numberOfLines = 0
            column.addArrangedSubview(label)
        }
        for button in buttons {
            let handler = UIAction(title: button.title) { _ in Task { await button.action() } }
            column.addArrangedSubview(UIButton(type: .system, primaryAction: handler))
        }
    }
}

/// The accounts, each with a log-out button.
final class AccountsController: ColumnController {
    private let app: AppDelegate

    init(_ app: AppDelegate) {
        self.app = app
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        Task { await app.router.report { try await load() } }
    }

    private func load() async throws {
        let accounts = try await app.logins.client().getCredentials()
        let app = app
        let failure = app.logins.tokenFailure.map { "This phone gets no pushes: \($0)." }
        let buttons = accounts.map { account in
            Button("Log out \(account.displayAccountName)") { await app.logOut(account) }
        }
        set([failure, accounts.isEmpty ? "There is no account yet." : nil], buttons)
    }
}

/// A login, the data about its origin, and the possible answers.
final class LoginController: ColumnController {
    private let id: String
    private let app: AppDelegate

    init(_ id: String, _ app: AppDelegate) {
        (self.id, self.app) = (id, app)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        Task { await app.router.report { try await load() } }
    }

    private func load() async throws {
        guard let push = try await app.logins.client().getNotification(id), push.pending else {
            return set(["This request has ended."])
        }
        let approvals =
            switch push.pushType {
            case .challenge:
                push.numbers.map { number in
                    Button(String(number)) { [self] in await answer(push, isApproval: true, number: number) }
                }
            case .default, .biometric:
                [Button("Approve") { [self] in await answer(push, isApproval: true) }]
            }
        let deny = Button("Deny") { [self] in await answer(push, isApproval: false) }
        set([push.messageText, push.context.remoteAddress], approvals + [deny])
    }

    private func answer(_ push: PushNotification, isApproval: Bool, number: Int? = nil) async {
        await app.router.report {
            if isApproval, push.pushType == .biometric {
                let reason = "Approve the login"
                guard
                    try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
                else { return }
            }
            try await app.logins.answer(push, isApproval: isApproval, number: number)
            app.router.show(.accounts)
        }
    }
}

/// Asks whether to add an account, and then asks for permission to show banners.
///
/// At this moment, the user understands why the app needs the permission.
final class EnrolmentController: ColumnController {
    private let code: String
    private let app: AppDelegate

    init(_ code: String, _ app: AppDelegate) {
        (self.code, self.app) = (code, app)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        set(["Add the account of this link?"], [Button("Add") { [self] in await add() }])
    }

    private func add() async {
        await app.router.report {
            try await app.logins.enrol(code)
            let center = UNUserNotificationCenter.current()
            let isGranted = try await center.requestAuthorization(options: [.alert, .sound, .badge])
            app.router.show(isGranted ? .accounts : .message("Logins are shown in the app only."))
        }
    }
}

/// A sentence for the user.
final class MessageController: ColumnController {
    private let text: String

    init(_ text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        set([text])
    }
}
