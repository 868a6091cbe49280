import SwiftUI

/// The content of the window: the lists, the opened login and the alerts.
struct ContentView: View {
    @Environment(LoginModel.self) private var model
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        @Bindable var model = model
        NavigationStack(path: $model.path) {
            ListsScreen()
                .navigationDestination(for: LoginItem.ID.self) { LoginScreen(id: $0) }
        }
        .alert(
            "Add the account of this link?",
            isPresented: $model.hasOffer,
            presenting: model.offer
        ) { code in
            Button("Add") {
                Task { await model.enrol(code) }
            }
            Button("Cancel", role: .cancel) {}
        } message: { _ in
            Text("Add the account only if you opened the link on your own login page.")
        }
        .alert("Please note", isPresented: $model.hasMessage, presenting: model.message) { _ in
            Button("OK") {}
        } message: { message in
            Text(message)
        }
        // The link is a registration URI. Anybody can create such a link, so the user must confirm the enrolment.
        .onOpenURL { model.offer = $0.absoluteString }
        .onChange(of: scenePhase, initial: true) { _, phase in
            guard phase == .active else { return }
            Task { await model.catchUp() }
        }
    }
}

/// The pending logins and the accounts.
struct ListsScreen: View {
    @Environment(LoginModel.self) private var model
    @State private var code = ""

    var body: some View {
        List {
            Section("Logins") {
                ForEach(model.logins) { login in
                    NavigationLink(login.text, value: login.id)
                }
            }
            Section("Accounts") {
                ForEach(model.accounts) { account in
                    Text("\(account.name) at \(account.issuer)")
                    Button("Remove \(account.name)", role: .destructive) {
                        Task { await model.remove(account) }
                    }
                }
            }
            Section("Add an account") {
                // A real app scans the code with the camera.
                TextField("Code", text: $code)
                Button("Add") {
                    let typed = code
                    code = ""
                    Task { await model.enrol(typed) }
                }
            }
        }
        .navigationTitle("Authenticator")
    }
}

/// A login, its origin and the possible answers.
struct LoginScreen: View {
    @Environment(LoginModel.self) private var model
    let id: LoginItem.ID

    var body: some View {
        List {
            if let login = model.login(id) {
                Text(login.text)
                if let origin = login.origin { Text("From \(origin)") }
                approvals(of: login)
                Button("Deny", role: .destructive) {
                    Task { await model.deny(login) }
                }
            } else {
                Text("This request has ended.")
            }
        }
        .navigationTitle("Login")
    }

    @ViewBuilder
    private func approvals(of login: LoginItem) -> some View {
        switch login.approval {
        case .tap, .owner:
            Button("Approve") {
                Task { await model.approve(login) }
            }
        case .number(let numbers):
            ForEach(numbers, id: \.self) { number in
                Button(String(number)) {
                    Task { await model.approve(login, number: number) }
                }
            }
        }
    }
}
