#import "Header.h"
#import "FRAuthenticator-Swift.h"

#define ISSUER(a) ((a).issuer)
#if 0
static Account *never;
#endif
extern "C" void show(AppAccount *account, AppAccountRef ref, Handler handler, PushNotification *push) { //= Account as AppAccount, Account as AppAccountRef, PushNotification
    START(); //= FRAClient.start
    id x = ISSUER(account); //= Account.issuer
    id list[] = { account.issuer, ref.displayIssuer }; //= Account.issuer, Account.displayIssuer
    [push acceptOnSuccess:^{ [push acceptOnSuccess:^{} onError:^(id e) {}]; } onError:^(id e) { (void)account.issuer; }]; //= PushNotification.accept, PushNotification.accept, Account.issuer
    Account *one = [FRAClient.shared getAccountWithIdentifier:x]; //= Account, FRAClient, FRAClient.shared, FRAClient.getAccount
    (void)@protocol(FRAPolicy); //= FRAPolicy
    id any = (id)one; [any getAllAccounts]; //= FRAClient.getAllAccounts
    one = (Account *)list[0]; //= Account
}
