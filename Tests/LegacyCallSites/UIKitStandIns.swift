#if !canImport(UIKit)
import FRAuthenticator
import Foundation

// These are the parts of UIKit that the call sites use. FRAuthenticator itself declares `UIApplication`.

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
