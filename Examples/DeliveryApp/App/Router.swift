import PingPush
import UIKit

/// Shows a screen of the app or, until a scene is connected, stores which screen to show.
///
/// The system may report a tap before there is a window.
@MainActor
final class Router {
    /// The screens.
    enum Screen: Equatable {
        /// The accounts of this phone.
        case accounts
        /// The push with this id, which the user can answer on this screen.
        case login(String)
        /// Asks whether to add the account of this registration URI.
        case enrolment(String)
        /// A sentence for the user.
        case message(String)
    }

    /// The current screen or, if no scene is connected, the screen that the next scene shows.
    private(set) var screen = Screen.accounts
    private var navigation: UINavigationController?
    private weak var app: AppDelegate?

    /// Shows the current screen, and all later screens, in the scene of this navigation controller.
    func connect(_ navigation: UINavigationController, to app: AppDelegate) {
        (self.navigation, self.app) = (navigation, app)
        show(screen)
    }

    /// Forgets the scene and its screen.
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

    /// Runs an operation, and shows its error to the user if it fails.
    func report(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            show(.message(error.localizedDescription))
        }
    }
}
