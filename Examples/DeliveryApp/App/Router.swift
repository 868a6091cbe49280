import PingPush
import UIKit

/// Decides which screen is shown.
///
/// The system may tell of a tap before there is a window: the screen is kept until a scene is connected.
@MainActor
final class Router {
    /// What can be shown.
    enum Screen: Equatable {
        /// The accounts of this phone.
        case accounts
        /// The push with an id, to be answered.
        case login(String)
        /// Whether an account is to be added.
        case enrolment(String)
        /// A sentence for the user.
        case message(String)
    }

    /// What is shown, or will be as soon as there is a scene.
    private(set) var screen = Screen.accounts
    private var navigation: UINavigationController?
    private weak var app: AppDelegate?

    /// Shows the screen in a scene from now on.
    func connect(_ navigation: UINavigationController, to app: AppDelegate) {
        (self.navigation, self.app) = (navigation, app)
        show(screen)
    }

    /// Keeps the next screen until there is a scene again.
    func disconnect() {
        (navigation, screen) = (nil, .accounts)
    }

    /// Shows a screen.
    func show(_ screen: Screen) {
        self.screen = screen
        guard let navigation, let app else { return }
        let accounts = AccountsController(app)
        let shown: UIViewController? =
            switch screen {
            case .accounts: nil
            case .login(let id): LoginController(id, app)
            case .enrolment(let code): EnrolmentController(code, app)
            case .message(let text): MessageController(text)
            }
        navigation.setViewControllers([accounts, shown].compactMap(\.self), animated: false)
    }

    /// Does something and tells the user if it fails.
    func report(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            show(.message(error.localizedDescription))
        }
    }
}
