import SwiftUI

/// The app, with one kind of window.
@main
struct AuthenticatorApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup {
            ContentView()
                .environment(delegate.model)
        }
    }
}
