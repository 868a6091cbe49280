import FRAuthenticator
import FRCore
import Foundation

#if canImport(UIKit)
import UIKit
#endif

class NotificationViewController: UIViewController {
    let notification: PushNotification
    let statusLabel = UILabel()
    var numbers: [Int] = []
    var onFinish: ((String) -> Void)?

    init(notification: PushNotification) {
        self.notification = notification
        #if canImport(UIKit)
        super.init(nibName: nil, bundle: nil)
        #else
        super.init()
        #endif
        title = notification.message ?? "Login"
        numbers = notification.numbersChallengeArray ?? []
    }

    #if canImport(UIKit)
    required init?(coder: NSCoder) {
        return nil
    }
    #endif

    func approve() {
        let successCallback: SuccessCallback = {
            DispatchQueue.main.async {
                self.finish("approved")
            }
        }
        if notification.pushType == .challenge {
            notification.accept(
                challengeResponse: "\(numbers.first ?? 0)",
                onSuccess: successCallback,
                onError: { (error) in self.report(error) }
            )
        } else if notification.pushType == .biometric {
            notification.accept(
                title: "Confirm the login",
                allowDeviceCredentials: true,
                onSuccess: successCallback,
                onError: { (error) in self.report(error) }
            )
        } else {
            notification.accept(
                onSuccess: successCallback,
                onError: { [weak self] (error) in self?.report(error) }
            )
        }
    }

    func deny() {
        notification.deny(
            onSuccess: {
                DispatchQueue.main.async {
                    self.finish("denied")
                }
            },
            onError: { [weak self] error in
                self?.report(error)
            }
        )
    }

    func showContext() -> String {
        guard let contextInfo = notification.contextInfo, let data = contextInfo.data(using: .utf8),
            let context = try? JSONSerialization.jsonObject(with: data, options: []) as? [String: Any]
        else { return "" }
        return context["userAgent"] as? String ?? ""
    }

    private func report(_ error: Error) {
        let text: String
        if let error = error as? PushNotificationError {
            switch error {
            case .notificationInvalidStatus: text = "already answered"
            case .pushNumberChallengeError: text = "wrong number, choose again"
            case .missingDeviceToken, .storageError, .updateFailed: text = error.localizedDescription
            }
        } else if case AccountError.accountLocked(let policy) = error {
            text = "locked by \(policy)"
        } else if error is URLError {
            text = "offline"
        } else if case NetworkError.apiRequestFailure = error {
            text = "refused"
        } else {
            text = "\((error as NSError).code)"
        }
        DispatchQueue.main.async {
            self.finish(text)
        }
    }

    private func finish(_ text: String) {
        statusLabel.text = text
        onFinish?(text)
        dismiss(animated: true, completion: nil)
    }
}
