import FRAuthenticator
import Foundation

#if canImport(UIKit)
import UIKit
#endif

class AccountListViewController: UIViewController {
    var accounts: [Account] = []
    var lastError: Error?
    var codeTimer: Timer?
    var newMechanism: Mechanism?
    var onScan: MechanismCallback?

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        accounts = FRAClient.shared?.getAllAccounts() ?? []
    }

    func scanned(_ text: String, completion: @escaping (Mechanism?) -> Void) {
        guard let url = URL(string: text), let fraClient = FRAClient.shared else { return }
        fraClient.createMechanismFromUri(
            uri: url,
            onSuccess: { (mechanism) in
                DispatchQueue.main.async {
                    self.accounts = fraClient.getAllAccounts()
                    completion(mechanism)
                }
            },
            onError: { (error) in
                DispatchQueue.main.async {
                    self.lastError = error
                    completion(nil)
                }
            }
        )
    }

    func rows() -> [String] {
        var rows: [String] = []
        for account in accounts {
            let issuer: String = account.displayIssuer ?? account.issuer
            rows.append("\(issuer)/\(account.displayAccountName ?? "")\(account.lock ? " locked" : "")")
            for mechanism in account.mechanisms {
                switch mechanism.type {
                case "push":
                    if let push = mechanism as? PushMechanism {
                        rows.append("push \(push.pendingNotifications.count) of \(push.notifications.count)")
                    }
                case "totp":
                    if let totp = mechanism as? TOTPMechanism, let code = try? totp.generateCode() {
                        rows.append("totp \(code.code.count) \(code.isValid) \(code.progress <= 1)")
                    }
                case "hotp":
                    if let hotp = mechanism as? HOTPMechanism {
                        do {
                            let code = try hotp.generateCode()
                            rows.append("hotp \(code.code)")
                        } catch {
                            rows.append(error.localizedDescription)
                        }
                    }
                default:
                    break
                }
            }
        }
        return rows
    }

    func showCodes(of totp: TOTPMechanism, in label: UILabel) {
        codeTimer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
            DispatchQueue.main.async {
                label.text = (try? totp.generateCode())?.code
            }
        }
    }

    func mechanismCreated(_ mechanism: Mechanism) {
        newMechanism = mechanism
        onScan?(mechanism)
    }

    func rename(_ account: Account, to name: String) throws {
        account.displayAccountName = name
        _ = try FRAClient.shared?.updateAccount(account: account)
    }

    func remove(at index: Int) {
        let account = accounts[index]
        if let removed = FRAClient.shared?.removeAccount(account: account), removed {
            accounts.remove(at: index)
        }
    }
}
