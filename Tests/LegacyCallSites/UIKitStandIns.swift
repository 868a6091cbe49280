#if !canImport(UIKit)
import FRAuthenticator
import Foundation

// As much of UIKit as the call sites name; the application itself comes from FRAuthenticator.

extension UIApplication {
    struct LaunchOptionsKey: Hashable {}

    @MainActor func registerForRemoteNotifications() {}
}

@MainActor protocol UIApplicationDelegate: AnyObject {}

enum UIBackgroundFetchResult {
    case newData
    case noData
    case failed
}

@MainActor class UIResponder: NSObject {}

@MainActor class UIViewController: UIResponder {
    var title: String?

    func viewDidLoad() {}
    func viewWillAppear(_ animated: Bool) {}
    func dismiss(animated: Bool, completion: (() -> Void)? = nil) { completion?() }
}

@MainActor final class UILabel {
    var text: String?
}
#endif
